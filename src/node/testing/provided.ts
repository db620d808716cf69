/** Under this name the plugin for Vitest hands the options to the processes in which tests run. */
export const PROVIDED = 'trackside';

/** And this global variable holds them where Jest runs tests. */
export const PROVIDED_GLOBAL = '__trackside_options';

/** Where the files that Jest loads one after the other find the watch. */
export const JEST_WATCH = Symbol.for('trackside.jest-watch');
