// Draws the tables of figures as pictures by uPlot. Without a script the tables are what is shown.
"use strict";

const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]]; // lines differ in more than their colour
const HEIGHT = 280;

/** The colour that an element of these classes has now, as a canvas takes it. */
function colour(classes) {
  const probe = document.createElement("span");
  probe.className = classes;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

function columnsOf(table) {
  const rows = [...table.tBodies[0].rows];
  const names = rows.map((row) => row.cells[0].dataset.short || row.cells[0].textContent.trim());
  const series = [...table.tHead.rows[0].cells].slice(1).map((head, at) => ({
    label: head.textContent.trim(),
    bar: head.dataset.draw === "bar",
    seat: head.dataset.seat,
    points: rows.map((row) => Number(row.cells[at + 1].textContent)),
  }));
  return { names, series };
}

function drawn(figure) {
  const { names, series } = columnsOf(figure.querySelector(".figures"));
  const plot = figure.querySelector(".plot");
  const isRace = figure.dataset.picture === "lines";
  const ink = colour("plot-ink"), grid = { stroke: colour("plot-grid"), width: 1 };
  const font = `13px ${getComputedStyle(document.body).fontFamily}`;
  const axis = { stroke: ink, grid, ticks: grid, font };
  const lines = series.map((each, at) => {
    const shown = colour(each.seat ? `plot-seat seat-${each.seat}` : each.bar ? "plot-bar" : "plot-line");
    const bars = each.bar ? { paths: uPlot.paths.bars({ size: [0.7, 60] }), points: { show: false }, fill: shown } : {};
    return { label: each.label, stroke: shown, width: each.bar ? 0 : 3, dash: DASHES[each.seat ? at % DASHES.length : 0], ...bars };
  });
  const lowest = Math.min(0, ...series.flatMap((each) => each.points));
  const highest = Math.max(1, ...series.flatMap((each) => each.points));
  const places = names.map((_, at) => at);
  const every = Math.ceil((names.length * 40) / Math.max(1, plot.clientWidth - 56)); // a name takes 40 px
  const options = {
    width: plot.clientWidth,
    height: HEIGHT,
    series: [{ label: figure.querySelector(".figures th").textContent.trim() }, ...lines],
    scales: {
      x: { time: false, range: isRace ? [0, Math.max(1, names.length - 1)] : [-0.6, names.length - 0.4] },
      y: { range: [lowest, highest * 1.08] },
    },
    axes: [{ ...axis, splits: () => places.filter((at) => at % every === 0), values: (_, at) => at.map((place) => names[place]) }, { ...axis, size: 56 }],
    legend: { live: false },
    cursor: { drag: { x: false, y: false } },
  };
  plot.replaceChildren();
  return new uPlot(options, [places, ...series.map((each) => each.points)], plot);
}

for (const figure of document.querySelectorAll("[data-picture]")) {
  if (figure.querySelectorAll("tbody tr").length < 2) continue; // one point is no picture
  let picture = drawn(figure);
  figure.querySelector("details").open = false;
  new ResizeObserver(([entry]) => picture.setSize({ width: entry.contentRect.width, height: HEIGHT })).observe(figure);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { picture = drawn(figure); });
}
