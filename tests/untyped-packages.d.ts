// Packages of tests that have no types.
declare module 'draco3d';
declare module 'occt-import-js';
