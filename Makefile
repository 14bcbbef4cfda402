# data-import: build, run, test. `make help` lists the targets.

SHELL := /bin/bash

# --- settings that a caller may give ----------------------------------------------------------------------------------
BUILD    ?= build
SANITIZE ?=
CXX      ?= g++
# -g1: functions and lines, for stack traces; processes leave no core with values of variables
CXXFLAGS ?= -O2 -g1
RUN_DIR  ?= .run
PORT     ?= 8443
DOCS     ?= yes
DESTDIR  ?=
PREFIX   ?= /usr

# make parts names at blanks, and so do command lines in RUN_DIR/env
ifneq ($(words $(BUILD)),1)
  $(error BUILD is '$(BUILD)': give the path of a directory, without blanks)
endif

# all cores; a make that this one starts shares them
ifeq ($(MAKELEVEL),0)
  MAKEFLAGS += --jobs=$(shell nproc)
endif

# --- compiler ---------------------------------------------------------------------------------------------------------
comma := ,
# V=1 shows the commands themselves
ifeq ($(V),1)
  Q   :=
  say := @true
else
  Q   := @
  say := @printf '  %-8s%s\n'
endif
ifneq ($(SANITIZE),)
  ifeq ($(findstring /sanitize-,$(BUILD)),)
    override BUILD := $(BUILD)/sanitize-$(subst $(comma),-,$(SANITIZE))
  endif
  SANITIZE_FLAGS := -fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=undefined
endif

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
ifneq ($(SANITIZE),)
  WARNINGS += -Wno-maybe-uninitialized  # instrumented, g++ 12 suspects the standard library's regular expressions
endif
INCLUDES := -Isrc -isystem /usr/include/postgresql
COMPILE   = $(CXX) -std=c++20 $(CPPFLAGS) $(CXXFLAGS) $(SANITIZE_FLAGS) $(WARNINGS) $(INCLUDES) -MMD -MP
LINK      = $(CXX) $(CXXFLAGS) $(SANITIZE_FLAGS) $(LDFLAGS) -Wl,--as-needed
LIBRARIES := -lPocoDataPostgreSQL -lPocoData -lPocoNetSSL -lPocoCrypto -lPocoNet -lPocoJSON \
             -lPocoFoundation -lpq -lfcgi -lsystemd -lssl -lcrypto -lz -lzstd -lpthread

# --- programs and objects ---------------------------------------------------------------------------------------------
DAEMON   := data-importd
TOOLS    := data-importctl data-import-load
SOURCES  := $(wildcard src/*/*/*.cc)
TEXTS    := $(wildcard src/base/texts/*.md src/base/texts/*.txt src/base/texts/*.css src/base/texts/*.json)
MIGRATIONS := $(sort $(wildcard sql/upgrades/*.sql))
OBJECTS  := $(SOURCES:%.cc=$(BUILD)/%.o) $(TEXTS:%=$(BUILD)/%.o) $(BUILD)/sql/newest.o
ARCHIVE  := $(BUILD)/libdata-import.a
BINARIES := $(DAEMON:%=$(BUILD)/%) $(TOOLS:%=$(BUILD)/%)
UNIT_SOURCES   := $(wildcard tests/unit/*.cc tests/unit/*/*.cc)
SYSTEM_SOURCES := $(wildcard tests/system/*.cc tests/system/*/*.cc tests/support/*.cc)
VENDOR_SOURCES := $(wildcard tests/vendor/*.cc)
SOAK_SOURCES   := $(wildcard tests/soak/*.cc) \
                  $(patsubst %,tests/support/%.cc,account_figures answer_check answer_record command database disk_filler forged_token http \
                                                 json_match load processes schema_sample stack token_requests world)

.DEFAULT_GOAL := all
.PHONY: all
all: $(BINARIES) $(BUILD)/manual/data-importctl.1  ## build the programs and the pages /docs/, /migration/ and /handbook/ into build/ (DOCS=no: without the pages)
	@[[ $(DOCS) == no ]] || $(MAKE) --no-print-directory --silent docs migration handbook || \
	    echo 'everything else is built: /docs/, /migration/ or /handbook/ will answer 404 until `make docs migration handbook` succeeds' >&2

# Headers that most files include are parsed once: for the programs, and for the tests of CppUnit, which need
# not be fast. With precompiled headers g++ 12 and 14 suspect std::string of access behind its end: builds with
# sanitizers do without them, and keep these warnings.
$(BUILD)/tests/unit/%.o $(BUILD)/tests/system/%.o $(BUILD)/tests/support/%.o $(BUILD)/tests/precompiled.h.gch: private COMPILE += -O1
# the operators' tools wait for the database and for files; without most optimizations they compile a quarter faster
$(BUILD)/src/tools/ctl/%.o $(BUILD)/src/tools/doctor/%.o $(BUILD)/src/tools/console/%.o: private COMPILE += -O1
ifeq ($(SANITIZE),)
  NOT_PRECISE := -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
  precompiled  = $(BUILD)/$(1)/precompiled.h.gch
  PRECOMPILED  = -include $(basename $(filter %.gch,$|)) $(NOT_PRECISE)
endif

%.h.gch:
	@mkdir -p $(@D) && cp $< $(@:.gch=)
	$(say) precompile $<
	$(Q)$(COMPILE) -x c++-header $< -o $@

$(BUILD)/src/precompiled.h.gch: src/precompiled.h
$(BUILD)/tests/precompiled.h.gch: tests/precompiled.h

define compile
@mkdir -p $(@D)
$(say) compile $<
$(Q)$(COMPILE) $(PRECOMPILED) -c $< -o $@
endef

$(BUILD)/tests/unit/%.o: tests/unit/%.cc | $(call precompiled,tests)
	$(compile)

$(BUILD)/tests/system/%.o: tests/system/%.cc | $(call precompiled,tests)
	$(compile)

$(BUILD)/tests/support/%.o: tests/support/%.cc | $(call precompiled,tests)
	$(compile)

$(BUILD)/%.o: %.cc | $(call precompiled,src)
	$(compile)

# src/base/texts/data-importd.8.md becomes the variable texts::data_importd_8
$(BUILD)/src/base/texts/%.cc: src/base/texts/%
	@mkdir -p $(@D)
	@{ printf '#include "base/texts/texts.h"\nconst std::string_view data_import::texts::%s = R"text(' \
	       "$$(tr -c 'a-z0-9\n' _ <<<'$(basename $*)')" && cat $< && printf ')text";\n'; } >$@

# the version of the schema that the programs work with: the number of the last migration
$(BUILD)/sql/newest.cc: $(MIGRATIONS)
	@mkdir -p $(@D)
	@printf '#include "data/store/schema_version.h"\nconst int data_import::store::schema_version = %d;\n' \
	    "$$((10#$(firstword $(subst -, ,$(notdir $(lastword $(MIGRATIONS)))))))" >$@

$(TEXTS:%=$(BUILD)/%.o) $(BUILD)/sql/newest.o: %.o: %.cc | $(call precompiled,src)
	$(compile)

$(ARCHIVE): $(OBJECTS)
	@rm -f $@
	$(Q)ar rcsT $@ $^  # names the objects, and copies none

$(BUILD)/data-importd: $(BUILD)/src/service/data-importd.o $(BUILD)/src/service/service.o
$(TOOLS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/src/tools/%.o
$(BUILD)/data-import-manual: $(BUILD)/src/data-import-manual.o

$(BINARIES) $(BUILD)/data-import-manual: $(ARCHIVE)
	$(say) link $@
	$(Q)$(LINK) $(filter %.o,$^) $(ARCHIVE) $(LIBRARIES) -o $@

.PHONY: manual
manual: $(BUILD)/manual/data-importctl.1  ## write the manual pages into build/manual/

# dated like the packages, by the newest entry of debian/changelog
$(BUILD)/manual/data-importctl.1: $(BUILD)/data-import-manual
	$(Q)$< $(@D) "$$(date --utc +%F \
	    --date="$${SOURCE_DATE_EPOCH:+@}$${SOURCE_DATE_EPOCH:-$$(sed -n 's/^ -- .*>  //p;T;q' debian/changelog)}")"

$(BUILD)/tests/unit-tests: $(UNIT_SOURCES:%.cc=$(BUILD)/%.o) $(BUILD)/tests/graphql/schemas.o \
                           $(patsubst %,$(BUILD)/tests/bench/load/%.o,answer_reader request statistics) \
                           $(addprefix $(BUILD)/tests/,soak/contract.o soak/verdict.o support/answer_check.o \
                                                       support/http.o support/json_match.o) \
                           $(BUILD)/tests/runner.o $(ARCHIVE)
	$(say) link $@
	$(Q)$(LINK) $(filter %.o,$^) $(ARCHIVE) $(LIBRARIES) -lcppunit -o $@

$(BUILD)/tests/system-tests: $(SYSTEM_SOURCES:%.cc=$(BUILD)/%.o) $(BUILD)/tests/runner.o $(ARCHIVE)
	$(say) link $@
	$(Q)$(LINK) $(filter %.o,$^) $(ARCHIVE) $(LIBRARIES) -lcppunit -o $@

$(BUILD)/tests/vendor-simulator: $(VENDOR_SOURCES:%.cc=$(BUILD)/%.o) $(ARCHIVE)
	$(say) link $@
	$(Q)$(LINK) $(filter %.o,$^) $(ARCHIVE) $(LIBRARIES) -o $@

# the system tests' stack starts it; make starts the others in a copy of the sources, as README and CONTRIBUTING say
$(BUILD)/tests/system-tests: | $(BUILD)/tests/vendor-simulator $(BUILD)/tests/book $(BUILD)/data-import-manual

$(BUILD)/tests/soak-test: $(SOAK_SOURCES:%.cc=$(BUILD)/%.o) $(ARCHIVE)
	$(say) link $@
	$(Q)$(LINK) $(filter %.o,$^) $(ARCHIVE) $(LIBRARIES) -o $@

$(BUILD)/tests/graphql-answer: $(BUILD)/tests/graphql/answer.o $(BUILD)/tests/graphql/schemas.o $(ARCHIVE)
	$(say) link $@
	$(Q)$(LINK) $(filter %.o,$^) $(ARCHIVE) $(LIBRARIES) -o $@

# tests/check compares its answers with the reference implementation's
$(BUILD)/tests/system-tests: | $(BUILD)/tests/graphql-answer

$(BUILD)/tests/book: $(BUILD)/tests/demo/book.o $(ARCHIVE)
	$(say) link $@
	$(Q)$(LINK) $(filter %.o,$^) $(ARCHIVE) $(LIBRARIES) -o $@

$(BUILD)/tests/token-check: $(BUILD)/tests/bench/token_check.o $(ARCHIVE)
	$(say) link $@
	$(Q)$(LINK) $(filter %.o,$^) $(ARCHIVE) $(LIBRARIES) -o $@

$(BUILD)/tests/attack: $(BUILD)/tests/bench/attack.o \
                       $(patsubst %.cc,$(BUILD)/%.o,$(wildcard tests/bench/load/*.cc))
	$(say) link $@
	$(Q)$(LINK) $^ -lssl -lcrypto -o $@

# with clang, by tests/fuzz/run
FUZZERS := $(patsubst %.cc,$(BUILD)/%,$(wildcard tests/fuzz/*.cc))
.PHONY: fuzzers
fuzzers: $(FUZZERS)

$(FUZZERS): %: %.o $(BUILD)/tests/graphql/schemas.o $(ARCHIVE)
	$(say) link $@
	$(Q)$(LINK) -fsanitize=fuzzer $(filter %.o,$^) $(ARCHIVE) $(LIBRARIES) -o $@

# the targets of the fuzzers on the inputs that are kept, by tests/check
REPLAYS := $(patsubst tests/fuzz/%.cc,$(BUILD)/tests/replay-%,$(wildcard tests/fuzz/*.cc))
$(REPLAYS): $(BUILD)/tests/replay-%: $(BUILD)/tests/fuzz/%.o $(BUILD)/tests/replay.o $(BUILD)/tests/graphql/schemas.o $(ARCHIVE)
	$(say) link $@
	$(Q)$(LINK) $(filter %.o,$^) $(ARCHIVE) $(LIBRARIES) -o $@

# packages have their version
VERSION ?=
ifneq ($(VERSION),)
$(patsubst %.cc,$(BUILD)/%.o,$(shell grep -l 'base/util/version[.]h' src/*/*/*.cc)): \
    private CPPFLAGS += -DDATA_IMPORT_VERSION='"$(VERSION)"'
endif

# the pages of /docs/; their viewer and their Markdown reader come from npm
.PHONY: docs
docs: $(BUILD)/docs/index.html  ## put the documentation page together

$(BUILD)/docs/index.html: $(addprefix nginx/docs/,build index.html guide.html contract.md contract.mjs man.mjs index.mjs search.mjs docs.css start.js copy.js search.js \
                                                   package.json package-lock.json .npmrc) $(wildcard nginx/docs/client/*) \
                          nginx/handbook/markdown.mjs $(BUILD)/manual/data-importctl.1
	$(say) fetch $(@D)
	$(Q)mkdir -p $(BUILD) && nginx/docs/build $(@D) $(BUILD)/manual && touch $@

# the page of /migration/; its libraries come from npm
.PHONY: migration
migration: $(BUILD)/migration/suppliers.html  ## put the page of migrations together

$(BUILD)/migration/suppliers.html: $(addprefix nginx/migration/,build suppliers.html operators.html icon.svg style.css package.json \
                                                 package-lock.json .npmrc tsconfig.json) $(wildcard nginx/migration/src/*)
	$(say) bundle $(@D)
	$(Q)mkdir -p $(BUILD) && nginx/migration/build $(@D) && touch $@

# the pages of /handbook/; their Markdown reader comes from npm
.PHONY: handbook
handbook: $(BUILD)/handbook/index.html  ## write the chapters of the handbook as pages

$(BUILD)/handbook/index.html: $(addprefix nginx/handbook/,build markdown.mjs pages.mjs package.json package-lock.json .npmrc) \
                              nginx/migration/icon.svg $(wildcard debian/handbook/*.md) $(BUILD)/docs/index.html
	$(say) write $(@D)
	$(Q)mkdir -p $(BUILD) && nginx/handbook/build $(@D) $(BUILD)/docs && touch $@

-include $(shell find $(BUILD) -path '$(BUILD)/package*' -prune -o -type f -name '*.d' -print 2>/dev/null)

# --- packages, stack, tests -------------------------------------------------------------------------------------------
# Targets that begin with deps build in a second make: the compiler may be among the packages that are missing.
PLAIN_PORT   ?=
WORKERS      ?=
LIMITS       ?= on
VENDORS      ?= demonstration
DATABASE_URL ?=
SUITE        ?=
export BUILD RUN_DIR PORT PLAIN_PORT WORKERS LIMITS VENDORS DATABASE_URL SUITE

.PHONY: deps up down run check format lint check-ha soak bench attacks steady install sample-config error-pages package package-check repository fuzz clean help
deps:  ## install the packages that debian/control names and this system lacks
	@tests/stack/packages

up: deps  ## bring a whole stack up in the background (RUN_DIR=.run PORT=8443 PLAIN_PORT=N WORKERS=N LIMITS=off VENDORS=all|none DATABASE_URL=URL)
	@$(MAKE) --no-print-directory --silent all $(BUILD)/tests/vendor-simulator
	@tests/stack/up

down:  ## take it down; its data stays in RUN_DIR
	@tests/stack/down

run: deps  ## bring a stack up with demonstration data, until Ctrl-C
	@$(MAKE) --no-print-directory --silent all $(BUILD)/tests/book $(BUILD)/tests/vendor-simulator
	@tests/stack/run

# Parts of the tests that run without NAMES, or when NAMES has their exact name.
NAMES ?=
# FAILED=1 repeats what failed last, CHANGED=1 runs what the changed files reach; without names, everything.
FAILED  ?=
CHANGED ?=
ifneq ($(filter 1,$(FAILED) $(CHANGED)),)
  reached := $(if $(FAILED),$(shell cat $(BUILD)/failed 2>/dev/null || echo everything)) $(if $(CHANGED),$(shell tests/reached))
  ifeq ($(strip $(reached)),)
    $(error $(if $(FAILED),no test failed last)$(if $(CHANGED),no file differs from the last commit))
  endif
  override NAMES := $(if $(filter everything,$(reached)),,$(reached))
endif
wanted = $(if $(NAMES),$(filter $(1),$(NAMES)),all)

check: deps  ## run all tests (NAMES="notes removal": those whose names contain one of these; FAILED=1: what failed last; CHANGED=1: what the changed files reach)
	@tests/stack/packages default-jdk-headless python3-httpx python3-h2 python3-requests || echo 'without a JDK and httpx, refusals of long bodies meet no client of others' >&2
	@tests/stack/packages python3-psycopg2 || echo 'without psycopg2 the consumers of the platform are not tried' >&2
	@tests/stack/packages clang-format shellcheck || echo 'without clang-format and shellcheck the form of the sources is not looked at' >&2
	@tests/stack/packages prometheus || echo 'without Prometheus the alerts and the dashboard are not tried' >&2
	@[[ $(DOCS) == no || -z "$(call wanted,migration)" ]] || tests/stack/packages chromium || echo 'without chromium the page of migrations is not looked at' >&2
	@$(MAKE) --no-print-directory --silent all $(BUILD)/tests/unit-tests $(BUILD)/tests/system-tests \
	    $(if $(call wanted,soak),$(BUILD)/tests/soak-test) $(if $(call wanted,fuzz),$(REPLAYS))
	@tests/check $(NAMES)

NUMBERS ?=
mutants: deps  ## put faults into a copy of the sources, and say which the tests notice (NUMBERS="3 17": those of tests/mutants/list)
	@$(MAKE) --no-print-directory --silent all $(BUILD)/tests/unit-tests $(BUILD)/tests/system-tests
	@tests/mutants/run $(NUMBERS)

format:  ## give all sources their form (clang-format 14)
	@tests/stack/packages clang-format
	@find src tests -name '*.cc' -print0 -o -name '*.h' -print0 | xargs --null clang-format -i

lint:  ## say which sources lack it, and what shellcheck says of scripts; `make check` does it, too
	@tests/stack/packages clang-format shellcheck || true
	@tests/lint

# How each source is compiled, for clangd and the programs of clang.
compile_commands.json: Makefile $(wildcard src/*/*/ tests/*/)  ## say to clangd how each source is compiled
	@{ printf '['; separator=; for source in $(SOURCES) $(wildcard src/*.cc src/*/*.cc) $(UNIT_SOURCES) $(SYSTEM_SOURCES); do \
	    printf '%s{"directory": "%s", "file": "%s", "command": "%s -c %s"}' "$$separator" "$(CURDIR)" "$$source" \
	        '$(subst ",\\",$(COMPILE))' "$$source"; separator=$$',\n'; done; printf ']\n'; } >$@

check-ha: deps  ## lose hosts of the service and of a replicated database in namespaces, some 12 minutes (root only, FAULTS="NAME ...")
	@$(MAKE) --no-print-directory --silent all
	@FAULTS="$(FAULTS)" tests/ha/check

MINUTES ?= 2
soak: deps  ## import under random faults, and compare what is there with what was acknowledged; `make check` does so for 30 s (MINUTES=2 SEED=N CLIENTS=12 CONSUMERS=4 FAULTS="NAME ...")
	@$(MAKE) --no-print-directory --silent all $(BUILD)/tests/soak-test $(BUILD)/tests/vendor-simulator
	@MINUTES=$(MINUTES) tests/soak/run

bench: deps  ## measure throughput and latency on this machine
	@$(MAKE) --no-print-directory --silent all $(BUILD)/tests/token-check
	@tests/bench/run

attacks: deps  ## say what attackers of one organisation cost another one (ATTACKS="listings one-lock" ROUNDS=3)
	@$(MAKE) --no-print-directory --silent all $(BUILD)/tests/vendor-simulator $(BUILD)/tests/attack
	@tests/bench/attacks

steady: deps  ## load the service for long, through a reload and into its end
	@$(MAKE) --no-print-directory --silent all $(BUILD)/tests/attack
	@tests/bench/steady

SITE   = sed -e 's,@LISTEN@,listen 443 ssl; listen [::]:443 ssl;,' -e 's,@SERVER_NAME@,_,' \
            -e 's,@METRICS_LISTEN@,127.0.0.1:9642,' -e 's,@SOCKETS@,/run/data-import,' \
            -e 's,@DOCS@,$(PREFIX)/share/data-import/docs,' -e 's,@MIGRATION@,$(PREFIX)/share/data-import/migration,' \
            -e 's,@HANDBOOK@,$(PREFIX)/share/data-import/handbook,' \
            -e 's,@ACCESS_LOG@,/var/log/nginx/data-import.access.log,'

install: all manual  ## install under DESTDIR
	install -D -m 0755 -t $(DESTDIR)$(PREFIX)/sbin $(BUILD)/data-importd
	install -D -m 0755 -t $(DESTDIR)$(PREFIX)/bin $(BUILD)/data-importctl $(BUILD)/data-import-load
	install -D -m 0644 -t $(DESTDIR)$(PREFIX)/share/data-import/sql/schema sql/schema/*.sql
	install -D -m 0644 -t $(DESTDIR)$(PREFIX)/share/data-import/sql/upgrades sql/upgrades/*.sql
	install -D -m 0644 -t $(DESTDIR)$(PREFIX)/share/man/man1 $(BUILD)/manual/*.1
	install -D -m 0644 -t $(DESTDIR)$(PREFIX)/share/man/man5 $(BUILD)/manual/*.5
	install -D -m 0644 -t $(DESTDIR)$(PREFIX)/share/man/man8 $(BUILD)/manual/*.8
	for program in data-importctl data-import-load; do \
	    install -D -m 0644 src/base/texts/completion.bash \
	        $(DESTDIR)$(PREFIX)/share/bash-completion/completions/$$program || exit; done
	@[[ $(DOCS) == no || ( -e $(BUILD)/docs/index.html && -e $(BUILD)/migration/suppliers.html && -e $(BUILD)/handbook/index.html ) ]] || \
	    { echo 'the pages are not built: make docs migration handbook, or install with DOCS=no' >&2; exit 1; }
	[[ $(DOCS) == no ]] || for page in docs docs/client migration handbook; do \
	    install -D -m 0644 -t $(DESTDIR)$(PREFIX)/share/data-import/$$page $$(find $(BUILD)/$$page -maxdepth 1 -type f) || exit; done
	install -D -m 0640 -t $(DESTDIR)/etc/data-import etc/data-import.conf
	install -d -m 0755 $(DESTDIR)/etc/data-import/conf.d $(DESTDIR)/etc/data-import/vendors.d
	install -d -m 0750 $(DESTDIR)/etc/data-import/keys
	install -D -m 0644 -t $(DESTDIR)/etc/nginx/snippets/data-import nginx/*.conf
	install -d -m 0755 $(DESTDIR)/etc/nginx/sites-available
	$(SITE) nginx/data-import.conf.in >$(DESTDIR)/etc/nginx/sites-available/data-import

sample-config: $(BUILD)/data-importd  ## write etc/data-import.conf anew from the table of settings
	$(BUILD)/data-importd --sample-config >etc/data-import.conf

error-pages: $(BUILD)/data-import-manual  ## write nginx/errors.conf anew from the table of codes
	$< --nginx-error-pages >nginx/errors.conf

SECONDS ?= 60
fuzz: deps  ## fuzz the readers of input with clang (SECONDS=60)
	@tests/fuzz/run $(SECONDS)

package: deps  ## build the .deb files into build/package/SUITE/ (SUITE=trixie: of another Debian, root only)
	@[[ -z "$(SUITE)" ]] || tests/stack/packages mmdebstrap
	@tests/package/build

# PostgreSQL, nginx and Prometheus are not started here by their packages: see tests/stack/packages
package-check: deps  ## install them in a booted Debian: HTTPS, hardening, upgrade under load, purge (root only, SUITE=trixie)
	@tests/stack/packages mmdebstrap systemd-container lintian blhc devscripts reprepro gnupg prometheus testssl.sh
	@$(MAKE) --no-print-directory --silent package
	@tests/package/check

REPOSITORY  ?= $(BUILD)/repository
SIGNING_KEY ?=
repository:  ## add the packages that were built to a signed repository of apt's (SIGNING_KEY=ADDRESS REPOSITORY=build/repository)
	@tests/stack/packages reprepro gnupg dpkg-dev
	@REPOSITORY="$(REPOSITORY)" SIGNING_KEY="$(SIGNING_KEY)" tests/package/repository

clean:  ## remove what was built
	rm -rf $(BUILD)

help:  ## list the targets
	@sed -nE 's/^([a-z_.-]+):[^#]*## (.*)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 25
