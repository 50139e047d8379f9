/**
 * The server's own functions that switch checksums while it serves: what is told to it by them, and what it says of their progress, of
 * what holds them up and of what they cost. Facts of 20devel (2026-08-20) and 19beta3; no released server has the functions.
 */
@NullMarked
package dev.datachecksums.operator.postgres.online;

import org.jspecify.annotations.NullMarked;
