SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup run demo test online-contract online-bench standby-bench standby-faults e2e e2e-uninstall fleet-bench bench faults image sbom deps crds fmt

MVN ?= mvn -B -ntp -Dstyle.color=never
# For demo: 1 shows the server of $DATACHECKSUMS_ONLINE_PGBIN, which converts while it serves.
ONLINE ?=
# For faults: its options, such as --seed=2 --only="operator killed".
FAULTS ?=
# For standby-bench: sizes in MB, --pairs=10, --load=idle,pgbench, --in-place=3.
STANDBY ?=
# For standby-faults: its options, such as --seed=2 --way=journal --only="all killed".
STANDBY_FAULTS ?=
# For e2e: options of Maven's, such as -De2e.excludedGroups=embedded,twice,long (leaves out what make test has shown already, and what takes longest).
E2E ?=
# Extra JVM options for run, demo and bench.
JAVA_OPTS ?=
# The image that the operator's is built on: a registry's name, or tar://PATH of a saved image.
BASE_IMAGE ?= eclipse-temurin:17-jre
# For e2e: a command that brings the tar whose path is its last argument into the cluster.
LOAD_IMAGE ?=

VERSION := $(shell sed -n 's:.*<version>\(.*\)</version>.*:\1:p' pom.xml | head -n 1)
# Of a work tree with changes the revision is no commit, and says so.
REVISION := $(shell git describe --always --abbrev=40 --match=- --dirty 2>/dev/null || echo unknown)
IMAGE_TAR := operator/target/jib-image.tar
POMS := pom.xml crds/pom.xml operator/pom.xml e2e/pom.xml
# Java's own exit by Ctrl-C is status 130: not a failure of make's.
INTERRUPTED_IS_FINE = || { code=$$?; [ $$code = 130 ] || exit $$code; }

help: ## Shows this.
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 10

setup: ## Installs what is missing: JDK, Maven, PostgreSQL with pg_checksums, Prometheus, PgBouncer.
	@scripts/setup

# The compiled classes and, beside each module's, the class path of its dependencies. One call of Maven for all.
define compile
	@$(MVN) -q test-compile dependency:build-classpath -Dmdep.outputFile=target/classpath -Dmdep.includeScope=test
endef

run: setup ## Runs the operator against $KUBECONFIG, outside the cluster.
	@[ -n "$${KUBECONFIG:-}" ] || { echo "make run needs KUBECONFIG: the cluster to run against" >&2; exit 1; }
	kubectl apply -k manifests/crds
	$(compile)
	@java $(JAVA_OPTS) -cp "operator/target/classes:$$(<operator/target/classpath)" \
		dev.datachecksums.operator.Main $(INTERRUPTED_IS_FINE)

demo: setup ## Shows a PostgreSQL go from checksums off to on, on this machine (or on $KUBECONFIG).
	$(compile)
	@java $(JAVA_OPTS) $$([ -t 1 ] && echo -Ddck.terminal=true) $(if $(ONLINE),-Ddck.online=true) -cp "e2e/target/classes:e2e/target/test-classes:$$(<e2e/target/classpath)" \
		dev.datachecksums.e2e.demo.Demo $(INTERRUPTED_IS_FINE)

test: setup ## Unit tests, tests on a local PostgreSQL, and the scenarios on the embedded testbed.
	env -u KUBECONFIG -u DCK_TESTBED $(MVN) verify

online-contract: setup ## The online functions' contract, on the scripted server and on $DATACHECKSUMS_ONLINE_PGBIN where that is set.
	@[ -n "$${DATACHECKSUMS_ONLINE_PGBIN:-}" ] || echo "DATACHECKSUMS_ONLINE_PGBIN names no server: the scripted one only"
	$(MVN) -pl operator -am test -Dtest="OnlineContractTest*$${DATACHECKSUMS_ONLINE_PGBIN:+,OnlineContractRealOnline*}" -Dsurefire.failIfNoSpecifiedTests=false

e2e: image ## The scenarios, and what only a real API server can say, on $KUBECONFIG with the image.
	@[ -n "$${KUBECONFIG:-}" ] || { echo "make e2e needs KUBECONFIG: a cluster for tests" >&2; exit 1; }
	@[ -n "$(LOAD_IMAGE)" ] || { echo "make e2e needs LOAD_IMAGE: a command that loads the tar named by its last" \
		"argument into the cluster, such as LOAD_IMAGE='kind load image-archive'" >&2; exit 1; }
	$(LOAD_IMAGE) $(IMAGE_TAR)
	DCK_TESTBED=cluster DCK_OPERATOR=$${DCK_OPERATOR:-deployment} $(MVN) -Pcluster -pl e2e -am verify $(E2E)

e2e-uninstall: setup ## The operator is removed in the middle of conversions, on $KUBECONFIG, with the image that e2e has loaded; alone.
	@[ -n "$${KUBECONFIG:-}" ] || { echo "make e2e-uninstall needs KUBECONFIG: a cluster for tests" >&2; exit 1; }
	DCK_TESTBED=cluster $(MVN) -Pcluster -pl e2e -am verify -Dtest=UninstallE2E -Dsurefire.failIfNoSpecifiedTests=false

faults: setup ## Faults at every step of an offline conversion, as a table; more by FAULTS=--of-each=20.
	$(compile)
	@java $(JAVA_OPTS) -Djdk.net.hosts.file=e2e/target/testbed-hosts -Dsun.net.inetaddr.ttl=0 -Dsun.net.inetaddr.negative.ttl=0 \
		-cp "e2e/target/classes:e2e/target/test-classes:$$(<e2e/target/classpath)" \
		dev.datachecksums.e2e.faults.Faults $(FAULTS) $(INTERRUPTED_IS_FINE)

standby-faults: setup ## Kills all over a TemporaryStandby, a table row each; slices by STANDBY_FAULTS="--from=1 --to=15".
	$(compile)
	@java $(JAVA_OPTS) -Djdk.net.hosts.file=e2e/target/testbed-hosts -Dsun.net.inetaddr.ttl=0 -Dsun.net.inetaddr.negative.ttl=0 \
		-cp "e2e/target/classes:e2e/target/test-classes:$$(<e2e/target/classpath)" \
		dev.datachecksums.e2e.faults.StandbyFaults $(STANDBY_FAULTS) $(INTERRUPTED_IS_FINE)

fleet-bench: setup ## A thousand declarations at rest: memory, processor time, status writes, reconciles, scrapes. Part of bench.
	$(compile)
	@java $(JAVA_OPTS) -cp "e2e/target/classes:e2e/target/test-classes:$$(<e2e/target/classpath)" \
		dev.datachecksums.e2e.bench.FleetBench

bench: fleet-bench ## Outage against a careful script and a plain delete, and memory at rest, on $KUBECONFIG; and online-bench where it can.
	$(compile)
	@java $(JAVA_OPTS) -cp "e2e/target/classes:e2e/target/test-classes:$$(<e2e/target/classpath)" \
		dev.datachecksums.e2e.bench.Bench $(INTERRUPTED_IS_FINE)
	@[ -z "$${DATACHECKSUMS_ONLINE_PGBIN:-}" ] || $(MAKE) --no-print-directory online-bench

standby-bench: setup ## Outage of a TemporaryStandby against a plain delete and in place, on $KUBECONFIG; STANDBY="1024 --load=pgbench --pairs=10 --in-place=0".
	$(compile)
	@java $(JAVA_OPTS) -cp "e2e/target/classes:e2e/target/test-classes:$$(<e2e/target/classpath)" \
		dev.datachecksums.e2e.bench.StandbyBench $(STANDBY) $(INTERRUPTED_IS_FINE)

online-bench: setup ## Conversions online through the operator against bare SQL, and under load; ONLINE_BENCH="2000 --pairs=5 --seconds=30".
	@[ -n "$${DATACHECKSUMS_ONLINE_PGBIN:-}" ] || { echo "make online-bench needs DATACHECKSUMS_ONLINE_PGBIN: the programs of" \
		"a server with the online functions" >&2; exit 1; }
	$(compile)
	@java $(JAVA_OPTS) -cp "e2e/target/classes:e2e/target/test-classes:$$(<e2e/target/classpath)" \
		dev.datachecksums.e2e.bench.OnlineBench $(ONLINE_BENCH) $(INTERRUPTED_IS_FINE)

image: setup ## Builds the image as a tar, without a daemon, and prints its path last.
	@$(MVN) -q -pl operator -am -Dmaven.test.skip package jib:buildTar \
		-Djib.from.image=$(BASE_IMAGE) -Ddck.revision=$(REVISION)
	@echo "datachecksums/operator:$(VERSION)"
	@echo "$(CURDIR)/$(IMAGE_TAR)"

sbom: setup ## Writes what is in the image: the SBOM (CycloneDX), and docs/licences.md from it.
	$(compile)
	@$(MVN) -q -pl operator -am compile org.cyclonedx:cyclonedx-maven-plugin:makeBom
	@java -cp "e2e/target/classes:$$(<e2e/target/classpath)" \
		dev.datachecksums.e2e.release.Licences operator/target/bom.json docs/licences.md

deps: setup ## Fails on a dependency that is declared and not used, or used and not declared.
	@$(MVN) -q test-compile dependency:analyze-only

crds: setup ## Writes what is generated: the CRD, docs/api.md, docs/metrics.md and the PrometheusRule.
	$(compile)
	@java -cp "crds/target/test-classes:crds/target/classes:$$(<crds/target/classpath)" \
		dev.datachecksums.api.crd.WriteGenerated .
	@java -cp "operator/target/test-classes:operator/target/classes:$$(<operator/target/classpath)" \
		dev.datachecksums.operator.telemetry.MetricsReference .
	@java -cp "e2e/target/test-classes:e2e/target/classes:$$(<e2e/target/classpath)" \
		dev.datachecksums.e2e.monitoring.Monitoring .

fmt: setup ## Formats the Java sources.
	@$(MVN) -q spotless:apply
