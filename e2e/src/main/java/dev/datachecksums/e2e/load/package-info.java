/** What goes on while a database is converted: rows that must not be lost, data that takes time, a report that must not lie. */
@NullMarked
package dev.datachecksums.e2e.load;

import org.jspecify.annotations.NullMarked;
