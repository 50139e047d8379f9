/** What is done to a database while it is converted: rows that must not be lost, data that takes time. */
@NullMarked
package dev.datachecksums.e2e.load;

import org.jspecify.annotations.NullMarked;
