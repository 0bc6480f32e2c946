# Each target sets up what it needs: a local .venv with the pinned packages of envs/requirements.txt.
PYTHON ?= python3
VENV := .venv
READY := $(VENV)/.ready
EXECUTORS := .venv-executors
CORES ?= all
SEEDS ?= 1 2 3 4 5
# Processes that run tests: one per core, eight at most.
TESTERS ?= auto
SPREAD := results/seeds
# The run that is compared or kept, and its configuration: runs=all for all 1000 runs of each wrapper.
run ?= results/paper
SIZE := config/paper.yaml $(if $(filter all,$(runs)),,config/kept.yaml)
PAPER := --configfile $(SIZE)
# The command of the package as it is in this folder; installed, it is called `steadfast`.
STEADFAST := $(VENV)/bin/python scripts

# A job without compiled bytecode starts several times slower.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help results paper keep compare advise trust noise dependent-rows alpha choice test lint bench bench-sizes spread seeds report verify chaos fuzz machines executors check-documents check-selector rulegraph clean

help:
	@echo "make results   every table and figure (default config), into results/"
	@echo "make paper     the papers' own data sets, into results/paper/: make paper local_data=FOLDER"
	@echo "make compare   how that run differs from the kept one: make compare run=FOLDER"
	@echo "make keep      keep that run in docs/replications/: make keep local_data=FOLDER"
	@echo "make advise    which features of your table to trust: make advise data=my.csv target=diagnosis"
	@echo "make trust     what methods find, and what of it is false, on data of known truth (30 minutes)"
	@echo "make noise     200 tables of noise: how often is the answer green? (1 hour on one core): make noise only=wide"
	@echo "make dependent-rows   tables whose rows belong together: how often is that noticed? (10 minutes)"
	@echo "make alpha     which α of mRMR, and how many features: what rules lose on 31 data sets (8 minutes)"
	@echo "make choice    which rule should choose selector and size: losses on rows that it has not seen (1 hour)"
	@echo "make test      all tests"
	@echo "make lint      ruff, snakefmt, snakemake --lint"
	@echo "make bench     speed beside other packages and the last release: make bench only=advise"
	@echo "make bench-sizes   seconds and memory of every filter on wide and long tables (10 minutes)"
	@echo "make spread    the reproduction under five seeds, into $(SPREAD)/"
	@echo "make seeds     ranks of gulgezen2009 under up to 100 seeds, kept in config/seeds/ (20 minutes)"
	@echo "make report    results/report.html, after make results"
	@echo "make verify    check every result against its checksum"
	@echo "make chaos     kill runs, damage files, fill disks: is anything wrong silently? make chaos minutes=10 seed=1"
	@echo "make fuzz      read odd tables and mutated configs: make fuzz tables=300 configs=200 seed=1"
	@echo "make machines  efficiency by number of nodes, on a Slurm of this machine; time to plan many jobs (20 minutes)"
	@echo "make executors dry run of every profile, with all plugins in .venv-executors (7 minutes)"
	@echo "make check-documents   are the numbers in the documents those of results/?"
	@echo "make check-selector name=NAME   does a selector keep the contract? (docs/add-a-selector.md)"
	@echo "make rulegraph draw the rules anew: docs/rulegraph.svg"
	@echo "make clean     delete results/ (downloads in .cache stay)"

$(READY): envs/requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "make: Python 3.11 is needed: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r envs/requirements.txt
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

results: $(READY)
	@$(STEADFAST) reproduce --cores $(CORES)

paper: $(READY)
	$(STEADFAST) reproduce --cores $(CORES) $(foreach file,$(SIZE),--config $(file)) \
		$(if $(local_data),--local-data "$(local_data)")
	$(VENV)/bin/python scripts/compare_runs.py results/paper $(PAPER)

keep: $(READY)
	$(VENV)/bin/python scripts/keep_run.py "$(run)" $(PAPER) \
		$(if $(paper),--paper $(paper)) $(if $(local_data),--local-data "$(local_data)")
	$(VENV)/bin/python scripts/verdict_tables.py

compare: $(READY)
	$(VENV)/bin/python scripts/compare_runs.py "$(run)" $(PAPER)

# Names of columns may hold anything: they go to the command as they are, past make and shell.
advise: export ADVISE_DATA = $(value data)
advise: export ADVISE_TARGET = $(value target)
advise: export ADVISE_GROUPS = $(value groups)
advise: export ADVISE_DROP = $(value drop)
advise: export ADVISE_MISSING = $(value missing)
advise: export ADVISE_CATEGORIES = $(value categories)
advise: export ADVISE_KEEP = $(value keep)
advise: export ADVISE_FEATURE_GROUPS = $(value feature_groups)
advise: export ADVISE_SEED = $(value seed)
advise: export ADVISE_WITHIN = $(value within)
advise: export ADVISE_BUDGET = $(value budget)
advise: export ADVISE_MARGIN = $(value margin)
advise: $(READY)
	@$(STEADFAST) advise --cores $(CORES)

trust: $(READY)
	@$(STEADFAST) reproduce trust --cores $(CORES)
	@cat results/trust/tables/*.md results/benchmarks/trust/times.md
	@sed -n '1,/^A claim holds/p' results/trust/summary.md
	@for table in recovery noise; do cmp -s results/trust/tables/$$table.csv docs/trust/$$table.csv \
		&& echo "$$table: as in docs/trust.md" || echo "$$table: not as in docs/trust.md"; done

# `make noise keep=yes` is the run that docs/trust.md shows; `part=1/2` and `part=2/2` share it between two processes.
# Continues where results/noise/tables.csv ends: delete that to compute all of it again.
noise: $(READY)
	@PYTHONPATH=tests/faults:scripts $(VENV)/bin/python bench/noise.py \
		$(foreach option,only tables seed part,$(if $($(option)),--$(option) $($(option)))) $(if $(keep),--keep)

# How often rows of the same subjects are noticed: `make dependent-rows keep=yes` is what docs/trust.md shows.
dependent-rows: $(READY)
	@PYTHONPATH=tests/faults:scripts $(VENV)/bin/python bench/dependent_rows.py $(if $(keep),--keep)

# All data sets: make alpha size="config/paper.yaml config/kept.yaml" local_data=FOLDER, into results/paper.
alpha: $(READY)
	@$(STEADFAST) reproduce alpha_from_data --cores $(CORES) $(foreach file,$(size),--config $(file)) \
		$(if $(local_data),--local-data "$(local_data)")
	@cat $(if $(size),results/paper,results)/alpha_from_data/tables/alpha_regret*.md

# `make choice keep=yes local_data=FOLDER` is the run that docs/choice.md shows; it goes on where it was stopped.
choice: $(READY)
	@PYTHONPATH=tests/faults:scripts $(VENV)/bin/python bench/choice.py $(only) \
		$(if $(local_data),--local-data "$(local_data)") $(if $(part),--part $(part)) $(if $(keep),--keep)

test: $(READY)
	$(VENV)/bin/python -m pytest -n $(TESTERS) --maxprocesses 8 \
		--dist loadfile --no-loadscope-reorder

lint: $(READY)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/snakefmt --check Snakefile workflow
	$(VENV)/bin/snakemake --lint

# `make bench only="advise mid"` measures what has one of the words in its name; `of=FOLDER` another checkout, without
# other packages; `keep=yes` writes the figures that later runs are compared with.
bench: $(READY)
	$(if $(local_data),LOCAL_DATA="$(abspath $(local_data))") $(VENV)/bin/python bench/run.py $(only) \
		$(if $(of),--of "$(of)") $(if $(keep),--keep)

# `make bench-sizes keep=yes` is the run that docs/speed.md shows.
bench-sizes: $(READY)
	@PYTHONPATH=tests/faults:scripts $(VENV)/bin/python bench/sizes.py $(only) $(if $(keep),--keep)

spread: $(READY)
	for seed in $(SEEDS); do \
		$(VENV)/bin/snakemake $(SPREAD)/$$seed/gulgezen2009/published.csv --cores $(CORES) \
			--configfile config/spread.yaml --config seed=$$seed results=$(SPREAD)/$$seed || exit 1; \
	done
	$(VENV)/bin/python scripts/seed_spread.py $(SPREAD) --out $(SPREAD)/spread.md

# Goes on where config/seeds/gulgezen2009.csv ends: delete that to compute all of it again.
SEED_RANKS := $(VENV)/bin/python scripts/seed_ranks.py --study gulgezen2009 --out config/seeds/gulgezen2009.csv

seeds: $(READY)
	$(SEED_RANKS) --datasets ionosphere sonar musk1 digits wine --seeds 100
	$(SEED_RANKS) --datasets mfeat --of stability --seeds 30
	$(SEED_RANKS) --datasets mfeat --seeds 8
	$(if $(local_data),$(SEED_RANKS) --configfile config/paper.yaml --local-data "$(local_data)" \
		--datasets parkinsons audio_genre5 --seeds 100)
	$(if $(local_data),$(SEED_RANKS) --configfile config/paper.yaml --local-data "$(local_data)" \
		--datasets optdigits_train --seeds 30)

report: results
	$(VENV)/bin/snakemake --report results/report.html

check-documents: $(READY)
	$(VENV)/bin/python scripts/check_documents.py results

verify: $(READY)
	@$(STEADFAST) verify

# `make chaos kills=110 damages=320 disks=10 doubles=10 keep=yes` is the run that docs/reliability.md shows.
chaos: $(READY)
	@PYTHONPATH=tests/faults:tests/unit:scripts $(VENV)/bin/python -m chaos \
		$(foreach option,minutes kills damages disks doubles seed sides only,$(if $($(option)),--$(option) $($(option)))) \
		$(if $(keep),--keep)

# `make fuzz keep=yes` is the run that docs/reliability.md shows; results/fuzz/ has the files of faults.
fuzz: $(READY)
	@PYTHONPATH=tests/faults:scripts $(VENV)/bin/python -m fuzz \
		$(foreach option,tables configs seed minutes only,$(if $($(option)),--$(option) $($(option)))) \
		$(if $(keep),--keep)

# `make machines most=100000` plans 100,000 jobs, too; `parts=planning` is one part of it.
parts ?= nodes submitting planning
MACHINES := PYTHONPATH=tests/workflow:tests/unit:tests:scripts $(VENV)/bin/python -m machines

machines: $(READY)
	@$(MACHINES) $(parts) $(if $(most),--most $(most))

$(EXECUTORS)/.ready: envs/workflow.txt envs/executors.txt
	$(PYTHON) -m venv $(EXECUTORS)
	$(EXECUTORS)/bin/python -m pip install --quiet --disable-pip-version-check -r envs/workflow.txt
	$(EXECUTORS)/bin/python -m pip install --quiet --disable-pip-version-check -r envs/executors.txt
	touch $@

executors: $(READY) $(EXECUTORS)/.ready
	@$(MACHINES) executors

check-selector: $(READY)
	@$(STEADFAST) check-selector "$(name)" $(if $(params),--params '$(params)') \
		$(if $(study),--study "$(study)") $(if $(rules),--rules "$(rules)")

rulegraph: $(READY)
	$(VENV)/bin/python scripts/rulegraph.py

clean:
	rm -rf results .snakemake
