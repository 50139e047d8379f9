package dev.datachecksums.e2e.scenario;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A test beside the others of its class: it spends its time waiting for servers and the kubelet. */
@Target(METHOD)
@Retention(RUNTIME)
@Test
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 15, unit = TimeUnit.MINUTES)
@interface Scenario {}
