#!/usr/bin/env node
// `npx kontor` and `npm run` put the Node 24 from node_modules first on PATH; an older one cannot read TypeScript.
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `kontor needs Node 24 or newer, this is ${process.version}: run it as "npx kontor" in the repository`,
  );
  process.exit(1);
}
await import('../src/main.ts');
