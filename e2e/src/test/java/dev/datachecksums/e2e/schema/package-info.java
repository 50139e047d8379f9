/** What the API server makes of the CustomResourceDefinition: rules, defaults, columns, selectors. */
@NullMarked
package dev.datachecksums.e2e.schema;

import org.jspecify.annotations.NullMarked;
