/**
 * What an online run has to be judged by, as pure functions of what the server says: how far it is, how long it takes, what it waits
 * for, whether it still goes on, and how hard it may go.
 */
@NullMarked
package dev.datachecksums.operator.decide.online;

import org.jspecify.annotations.NullMarked;
