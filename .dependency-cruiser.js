import { layerRules, readParts } from './tools/layers.ts';

/**
 * What may import what. The rules between layers are made of the table in ARCHITECTURE.md.
 * @type {import('dependency-cruiser').IConfiguration}
 */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphan-imports',
      comment: 'Every import resolves, and to a package that package.json names.',
      severity: 'error',
      from: { path: '^(src|bench|test|tools)/' },
      to: { couldNotResolve: true, pathNot: '^(virtual:|node:)' },
    },
    {
      name: 'shipped-code-uses-shipped-packages',
      severity: 'error',
      from: { path: '^src/(?!renderer/)' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        pathNot: ['node_modules/electron/', 'node_modules/@types/'],
      },
    },
    ...layerRules(readParts()),
    {
      name: 'pure-without-node',
      comment: 'Pacing, the lifecycle and the contract do no I/O: they import nothing of Node.',
      severity: 'error',
      from: { path: '^src/(contract/|engine/pacing/|engine/jobs/lifecycle\\.ts$)' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-electron-outside-main',
      severity: 'error',
      from: { path: '^src/(contract|engine|host|cli|local-service|renderer)/' },
      to: { path: '^node_modules/electron' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types', 'svelte'],
      extensions: ['.ts', '.svelte.ts', '.svelte', '.js', '.mjs', '.json'],
    },
  },
};
