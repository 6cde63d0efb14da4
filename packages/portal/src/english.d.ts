/** The messages as they are written in the sources, which the build compiles (`tools/lingui.ts`). */
declare module 'virtual:english';
