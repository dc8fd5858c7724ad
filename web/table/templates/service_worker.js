/* Shows a page that says so while the table cannot be reached. It keeps nothing of a game: what
   is shown of one always comes from the table. */
"use strict";

const KEPT = "tablescore-not-reached";
const FILES = [
  "{{ url_for('install.not_reached') }}",
{%- for file in ("base.css", "not_reached.css", "not_reached.js", "icon.svg") %}
  "{{ url_for('static', filename=file) }}",
{%- endfor %}
];
const [PAGE] = FILES;

self.addEventListener("install", (event) => {
  const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(
    caches.open(KEPT).then((cache) => cache.addAll(fresh)).then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  const instead = request.mode === "navigate" ? PAGE : FILES.find((file) => file === pathname);
  if (request.method !== "GET" || !instead) return;
  event.respondWith(fetch(request).catch(() => caches.match(instead)));
});
