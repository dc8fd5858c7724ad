# Two commands do all the set-up: `make run` and `make test`. `make help` lists the rest.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SHARED ?= ../shared

# What may be added to `make run`: HOST=0.0.0.0 PORT=8080 HTTPS=yes CAMERA=webcam:0 SETTINGS=table.toml VERBOSE=yes LOG=table.log ...
RUN_OPTIONS = $(if $(HOST),--host $(HOST)) $(if $(PORT),--port $(PORT)) \
  $(if $(CAMERA),--camera $(CAMERA)) $(if $(DATABASE),--database $(DATABASE)) \
  $(if $(SETTINGS),--settings $(SETTINGS)) $(if $(HTTPS),--https) \
  $(if $(VERBOSE),-v) $(if $(LOG),--log-file $(LOG))

# Called with the interpreter, not the console script, so that Ctrl-C reaches the table itself.
.PHONY: run
run: with-table ## set up what is missing, then start the table
	@exec $(BIN)/python -m web run $(RUN_OPTIONS)

# SEED=1234 repeats the order of an earlier run; ONLY="tests/web tests/test_house.py" runs these alone.
.PHONY: test
test: with-tests ## set up what is missing, then run the tests on every processor, a real browser included
	@$(BIN)/python .ci/run_tests.py $(if $(SEED),--seed $(SEED)) $(ONLY)

.PHONY: test-slow
test-slow: with-tests ## what make test leaves out: kills, whole evenings in a browser, long searches
	@$(BIN)/python .ci/run_tests.py --slow $(if $(SEED),--seed $(SEED))

.PHONY: test-all
test-all: with-tests ## all tests, with the slow ones and those of training, and how much of each package they run (an hour)
	@failed=0; $(BIN)/python .ci/run_tests.py --all --coverage || failed=1; .ci/check $(BIN) coverage || failed=1; \
	  $(MAKE) --no-print-directory test-training || failed=1; exit $$failed

.PHONY: check
check: with-tests ## what must be clean before a commit lands: make test, style, types, layers
	@failed=0; $(BIN)/python .ci/run_tests.py || failed=1; .ci/check $(BIN) || failed=1; exit $$failed

.PHONY: benchmark
benchmark: with-tests ## measure, or what ONLY names alone, and write tests/benchmarks/figures.md
	@$(BIN)/python -m tests.benchmarks $(ONLY)

.PHONY: measure
measure: with-table ## what this machine takes to watch a table, as a text to be sent in (two minutes; stop the table first)
	@$(BIN)/python -m tests.benchmarks.measure

# TESTS=tests/... names other tests than those that mirror the module.
.PHONY: mutants
mutants: with-mutants ## which small changes of the module that ONLY names (ONLY=scoreboard/dice.py) no test notices
	@$(BIN)/python .ci/mutants.py $(ONLY) $(TESTS)

.PHONY: train-dice-rendered
train-dice-rendered: with-training ## first: train on rendered dice alone, which the next two start from (an hour and a quarter)
	@$(BIN)/python -m vision.train rendered-alone --data $(SHARED)/data/dice --cache .cache/training

.PHONY: train-dice
train-dice: with-training ## train the dice reader on SHARED's photographs and rendered ones (an hour and a half on two cores)
	@$(BIN)/python -m vision.train dice --data $(SHARED)/data/dice --bare $(SHARED)/data/tiles --cache .cache/training

.PHONY: train-dice-left-out
train-dice-left-out: with-training ## before that: train without each source in turn, to choose thresholds by (half an hour each)
	@$(BIN)/python -m vision.train left-out --data $(SHARED)/data/dice --bare $(SHARED)/data/tiles --cache .cache/training

# STEP="what was changed" adds a row of today; OUT=folder draws what was not read exactly.
.PHONY: gate
gate: with-training ## read the photographs of dice that no training sees; writes the gate into models/dice/evaluation.md
	@$(BIN)/python -m vision.train gate --data $(SHARED)/data/dice $(if $(STEP),--step "$(STEP)") $(if $(OUT),--out $(OUT))

.PHONY: fit-rolls
fit-rolls: with-training ## fit anew from where a roll of dice is accepted, as after a change of the reader (minutes)
	@$(BIN)/python -m vision.train rolls --data $(SHARED)/data/dice

.PHONY: train-tiles-rendered
train-tiles-rendered: with-training ## the same for tiles, on rendered and drawn ones alone (half an hour)
	@$(BIN)/python -m vision.train tiles rendered-alone --data $(SHARED)/data/tiles

.PHONY: train-tiles
train-tiles: with-training ## train the tile reader on SHARED's photographs, rendered and drawn ones (half an hour on two cores)
	@$(BIN)/python -m vision.train tiles all --data $(SHARED)/data/tiles

.PHONY: train-tiles-left-out
train-tiles-left-out: with-training ## before that: train without each scene in turn, to choose thresholds by (ten minutes each)
	@$(BIN)/python -m vision.train tiles left-out --data $(SHARED)/data/tiles

.PHONY: test-training
test-training: with-training ## render a few pictures, train two steps, export and read back
	@$(BIN)/python -m pytest -q -n auto --dist loadfile tests/vision/train

.PHONY: advice-tables
advice-tables: with-table ## work out again what every card of dice is worth, for models/advice (half a minute)
	@$(BIN)/python -m tests.scoreboard.games.advice.make_tables

.PHONY: demo-evening
demo-evening: with-training ## render the pictures of the demo evening again
	@$(BIN)/python -m vision.train.rendering evening --out hardware/cameras/demo_evening --cache .cache/rendering

.PHONY: demo-rummikub
demo-rummikub: with-training ## render the pictures of the demo's round of Rummikub again
	@$(BIN)/python -m vision.train.rendering rummikub-evening --out hardware/cameras/demo_rummikub --cache .cache/rendering --truth tests/hardware/cameras/demo_rummikub_truth.json

.PHONY: demo-tongtong
demo-tongtong: with-training ## render the pictures of the demo's match of Tong Tong again, and teach its deck
	@$(BIN)/python -m vision.train.rendering tongtong-evening --out hardware/cameras/demo_tongtong --cache .cache/rendering --truth tests/hardware/cameras/demo_tongtong_truth.json

.PHONY: render-dice
render-dice: with-training ## render training photographs of dice into the cache (goes on where it stopped)
	@$(BIN)/python -m vision.train.rendering dice --cache .cache/rendering
	@$(BIN)/python -m vision.train.rendering dice-sheet --cache .cache/rendering --out docs/images/rendered-dice.jpg

.PHONY: render-tiles
render-tiles: with-training ## render training photographs of Rummikub tiles into the cache (goes on where it stopped)
	@$(BIN)/python -m vision.train.rendering tiles --cache .cache/rendering
	@$(BIN)/python -m vision.train.rendering tile-sheet --cache .cache/rendering --out docs/images/rendered-tiles.jpg

.PHONY: render-editions
render-editions: with-training ## render tables of tile editions that no training sees: XL, mini, wooden, Okey, racks from near (a quarter of an hour)
	@$(BIN)/python -m vision.train.rendering editions --cache .cache/rendering

.PHONY: evaluate-editions
evaluate-editions: with-training ## read them and SHARED's dev photographs; STEP="what is new" names the rows in models/tiles/evaluation.md
	@$(BIN)/python -m vision.train tiles editions --data $(SHARED)/data/tiles --step "$(STEP)"

# OUT=folder names another folder; `index.html` in it shows them all.
.PHONY: release
release: with-tests ## build what a release carries into dist/: wheel, source, image script, sums, bill of materials
	@$(BIN)/python .ci/release.py

.PHONY: screenshots
screenshots: with-tests ## take every stage of the table at every size into ../screenshots, to be looked at
	@$(BIN)/python docs/take_screenshots.py stages $(or $(OUT),../screenshots)

.PHONY: docs-images
docs-images: with-tests ## take the documentation's screenshots
	@$(BIN)/python docs/take_screenshots.py documents

.PHONY: words
words: with-tests ## collect the words that players read into the catalogues; English is the source and has none
	@words=$$(mktemp) && trap 'rm -f "$$words"' EXIT && collect() { \
	    $(BIN)/pybabel -q extract -F "web/locale/$$1.cfg" -k message -k refused -k worded -k message_in:1c,2 --no-default-keywords --no-location --sort-output --project tablescore --version 0.2.0 --copyright-holder "the Tablescore authors" -o "$$words" scoreboard vision hardware web && shift && \
	    for language; do $(BIN)/pybabel -q update -i "$$words" -d web/locale -l "$$language" --no-fuzzy-matching --ignore-obsolete || return; done; } && \
	  collect babel ko ja && collect table de fr
	@$(BIN)/pybabel -q compile -d web/locale

# ADDON=folder names another folder. It is a repository of Home Assistant's; `tablescore` in it is for its folder /addons.
ADDON ?= dist/addon
.PHONY: addon
addon: ## put the Home Assistant add-on together in dist/addon, with all that its image is built from
	@rm -rf "$(ADDON)" && mkdir -p "$(ADDON)/tablescore"
	@tar -c --exclude=__pycache__ Dockerfile .dockerignore CHANGELOG.md $$(sed -n 's/^!//p' .dockerignore) | tar -x -C "$(ADDON)/tablescore"
	@cp -R addon/. "$(ADDON)/tablescore" && mv "$(ADDON)/tablescore/repository.yaml" "$(ADDON)"

PARTS ?= dist/parts
.PHONY: parts
parts: with-tests ## make the files to print arm, tray and box from into dist/parts, and their picture anew
	@$(BIN)/python docs/make_parts.py "$(PARTS)"

.PHONY: clean
clean: ## remove the environment and every cache
	rm -rf $(VENV) $(VENV).* .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.*

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

# The environment with what a command needs beside the table; nothing happens where it is complete.
set-up = @command -v $(PYTHON) >/dev/null || \
  { echo "tablescore: $(PYTHON) is missing: install it with 'sudo apt install python3 python3-venv'." >&2; exit 1; }; \
  $(PYTHON) .ci/environment.py "$(VENV)"

.PHONY: with-table with-tests with-training with-mutants
with-table:
	$(set-up) --or-old

with-tests:
	$(set-up) dev hub

with-training:
	$(set-up) dev hub training

with-mutants:
	$(set-up) dev hub mutants
