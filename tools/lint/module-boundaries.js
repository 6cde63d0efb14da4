import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The modules of the server, from the bottom: each imports those of earlier rows, and itself. So no import runs upward, and modules form no circle.
 */
const layers = [
  ['lib'],
  ['db', 'processes'],
  ['telemetry', 'write'],
  ['auth', 'files', 'imports', 'mail'],
  ['query'],
  ['http', 'jobs'],
  ['features'],
  ['consistency', 'privacy'],
  ['config.ts'],
  ['app'],
  ['cli'],
  ['index.ts', 'main.ts'],
];

/**
 * The other dependency rules (CONTRIBUTING.md). `from` is matched against the importing file, `to` against what it imports: the
 * name of a package, or a file, both as paths from the root of the repository. Every rule that applies is checked, for
 * imports of types as well.
 */
const rules = [
  {
    from: /^packages\/contract\/src\//,
    to: /^(?!typebox(\/|$)|packages\/contract\/src\/)/,
    message: 'contract imports typebox and itself only.',
  },
  {
    from: /^packages\/server\/src\//,
    to: /^packages\/contract\/|^@kontor\/contract\//,
    message: "Import from '@kontor/contract', not from its files.",
  },
  {
    from: /^packages\/tabular\/src\//,
    to: /^(?!node:(buffer|timers\/promises)$|packages\/tabular\/src\/)/,
    message: 'tabular reads text: it imports node:buffer, node:timers/promises and itself only.',
  },
  {
    from: /^packages\/(?!tabular\/)[^/]+\/src\//,
    to: /^packages\/tabular\/|^@kontor\/tabular\//,
    message: "Import from '@kontor/tabular', not from its files.",
  },
  {
    from: /^packages\/embedded-postgres\/src\//,
    to: /^packages\/(?!embedded-postgres\/)|^(@kontor|kontor)(\/|$)/,
    message: 'The launcher of the embedded PostgreSQL imports no other package of Kontor.',
  },
  {
    from: /^packages\/server\/src\/(?!db\/)/,
    to: /^@kontor\/embedded-postgres$/,
    message: 'Only db/ opens the embedded PostgreSQL.',
  },
  {
    from: /^packages\/server\/src\/(?!db\/)/,
    to: /^pg([-/]|$)/,
    message: 'Only db/ sees the driver.',
  },
  {
    from: /^packages\/server\/src\/(query\/|features\/([^/]+\/rules\.ts$|payroll\/computation\/))/,
    to: /^(?!@kontor\/contract$|typebox(\/|$)|node:(crypto|util|zlib)$|packages\/)/,
    message:
      'rules.ts, the computation of payroll and query/ are pure: they import the contract, typebox, node:crypto, node:util and node:zlib only.',
  },
  {
    from: /^packages\/server\/src\/(query\/|features\/([^/]+\/rules\.ts$|payroll\/computation\/))/,
    to: /^packages\/server\/src\/(http|files|write|(?!.*\/(sql|scope-predicate|list-statement)\.ts$)db)\/|\/store\.ts$/,
    message: 'rules.ts, the computation of payroll and query/ know no database, HTTP or clock.',
  },
  {
    from: /^packages\/server\/src\/(?!write\/)/,
    to: /^packages\/server\/src\/write\/(?!(writes|run-at-clock)\.ts$)/,
    message: 'writes.ts is the one entrance to writes: import nothing else of write/.',
  },
  {
    from: /^packages\/server\/src\/(?!cli\/|consistency\/|imports\/|features\/(employees\/portal-import\/apply|organizations\/store|payroll\/release)\.ts$)/,
    to: /^packages\/server\/src\/write\/run-at-clock\.ts$/,
    message: 'Only jobs and commands write many rows at the clock. A handler calls `writes.decide`.',
  },
  {
    from: /^packages\/server\/src\/(privacy|consistency)\/(?!(retention-)?routes\.ts$)/,
    to: /^packages\/server\/src\/http\//,
    message: 'Only the routes of privacy/ know HTTP: the commands call the rest of it, and consistency/.',
  },
  {
    from: /^packages\/sdk\/src\//,
    to: /^(?!node:(crypto|fs\/promises)$|packages\/sdk\/src\/)/,
    message: 'The SDK has no dependencies, and what it has of the contract is generated.',
  },
  {
    from: /^packages\/(?!sdk\/|sync\/)[^/]+\/src\//,
    to: /^packages\/sdk\/|^@kontor\/sdk(\/|$)/,
    message: 'The SDK is for programs that call Kontor.',
  },
  {
    from: /^packages\/sync\/src\//,
    to: /^(?!@kontor\/(sdk|tabular)$|commander$|node:|packages\/sync\/src\/)/,
    message: 'kontor-sync imports @kontor/sdk, @kontor/tabular, commander, Node and itself only.',
  },
  {
    from: /^packages\/portal\/src\//,
    to: /^node:|^packages\/(?!portal\/src\/)|^kontor(\/|$)/,
    message: 'The pages run in browsers: they know the contract and themselves.',
  },
  {
    from: /^packages\/portal\/src\/(kit|api)\//,
    to: /^packages\/portal\/src\/(features\/|[^/]+\.tsx$)/,
    message: 'api/ and kit/ do not import the pages, which are composed of them.',
  },
  {
    from: /^packages\/(?!portal\/)/,
    to: /^packages\/portal\//,
    message: 'Only the portal imports the portal: the service sends its built files.',
  },
  {
    from: /^packages\/[^/]+\/src\//,
    to: /^(packages\/[^/]+\/test|tools|bench)\//,
    message: 'The product does not import its tests and tools.',
  },
  {
    from: /^packages\/server\/src\/(?!main\.ts$)/,
    to: /^(node:)?process$/,
    message: 'Only main.ts reads the environment.',
  },
];

/** The module of the server that has the file, and its layer: -1 for one that `layers` lacks, which may import no other. */
function moduleOf(path) {
  const name = /^packages\/server\/src\/([^/]+)/.exec(path)?.[1];
  return name && { name, layer: layers.findIndex(names => names.includes(name)) };
}

function importsUpward(from, to) {
  const [own, other] = [moduleOf(from), moduleOf(to)];
  return own && other && own.name !== other.name && other.layer >= own.layer;
}

/** The feature of a file below features/, of the service or the portal. */
function feature(path) {
  return /^packages\/(?:server|portal)\/src\/features\/[^/]+(?=\/)/.exec(path)?.[0];
}

function violation(from, to) {
  const rule = rules.find(candidate => candidate.from.test(from) && candidate.to.test(to));
  if (rule) return rule.message;
  if (importsUpward(from, to))
    return `${moduleOf(from).name} may not import ${moduleOf(to).name}: a module imports those of lower layers only (tools/lint/module-boundaries.js).`;
  const [own, other] = [feature(from), feature(to)];
  if (own && other && own !== other) return 'Features do not import each other: move down what both need.';
  return undefined;
}

/** Whether more than types are imported. */
function importsValues({ type, importKind, exportKind, specifiers = [] }) {
  if (type === 'TSImportType' || importKind === 'type' || exportKind === 'type') return false;
  return specifiers.length === 0 || specifiers.some(specifier => specifier.importKind !== 'type');
}

/** Reports imports against the dependency rules. */
export const moduleBoundaries = {
  create(context) {
    const from = relative(root, context.filename);
    const check = node => {
      const name = node.source?.value;
      if (typeof name !== 'string') return;
      const to = name.startsWith('.') ? relative(root, resolve(dirname(context.filename), name)) : name;
      const bringsContract =
        from.startsWith('packages/portal/src/') && to === '@kontor/contract' && importsValues(node);
      const message = bringsContract
        ? 'Of the contract the pages have types, and @kontor/contract/filter: all else would go to every browser.'
        : violation(from, to);
      if (message) context.report({ node: node.source, message });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      TSImportType: check,
    };
  },
};
