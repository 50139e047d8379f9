/**
 * What the operator asks and tells a PostgreSQL server, over JDBC. Facts come back as records with the reason of whatever is missing;
 * errors are typed by SQLSTATE.
 */
@NullMarked
package dev.datachecksums.operator.postgres;

import org.jspecify.annotations.NullMarked;
