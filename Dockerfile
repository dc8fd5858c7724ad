# Tablescore in a container, for a table or a hub: docs/recipes/install.md tells how.
# BASE may be any Debian 13, also one of your own.
ARG BASE=debian:trixie-slim

FROM ${BASE} AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 python3-venv \
 && python3 -m venv /opt/tablescore
WORKDIR /source
COPY pyproject.toml constraints.txt install.sh README.md LICENSE ./
COPY scoreboard scoreboard
COPY vision vision
COPY hardware hardware
COPY web web
COPY models models
RUN /opt/tablescore/bin/pip install --no-cache-dir --constraint constraints.txt '.[hub]' \
 && sh hardware/appliance/slim /opt/tablescore

FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 tzdata \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --groups video --home-dir /data tablescore \
 && install -d -o tablescore -g tablescore /data
COPY --from=build /opt/tablescore /opt/tablescore
ENV PATH=/opt/tablescore/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    XDG_DATA_HOME=/data
# A Home Assistant add-on alone is built with RUN_AS=root: its /data is root's.
ARG RUN_AS=tablescore
USER ${RUN_AS}
WORKDIR /data
VOLUME /data
# A hub listens here as well; a table on another port has noted that.
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["python3", "-c", "import json, pathlib, urllib.request as u; p = pathlib.Path('/data/tablescore/games.running.json'); u.urlopen((json.loads(p.read_text())['address'] if p.exists() else 'http://127.0.0.1:8000/') + 'healthz', timeout=4)"]
ENTRYPOINT ["tablescore"]
CMD ["run", "--host", "0.0.0.0"]
