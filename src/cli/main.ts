#!/usr/bin/env node
// The first to be loaded. An old Node gets as far as being told so: what comes after is in a language that it need not know.
import '../startup/supported-node.ts';

declare const require: (id: string) => unknown;

require('./start.js');
