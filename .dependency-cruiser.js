/**
 * Who may know whom (ARCHITECTURE.md draws it).
 * @type {import('dependency-cruiser').IConfiguration}
 */
const room = (name) => `^src/${name}/`;
const only = (name, comment, allowed) => ({
  name: `${name}-knows`,
  comment,
  severity: 'error',
  from: { path: room(name) },
  to: { path: '^src/', pathNot: [room(name), ...allowed.map(room)] },
});

export default {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
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
    only('contract', 'The contract knows no other room.', []),
    only('preload', 'The preload hands over a port and knows only the contract.', ['contract']),
    only('renderer', 'The page knows only the contract.', ['contract']),
    only('engine', 'The engine knows the contract.', ['contract']),
    only('host', 'A host lends an engine to a UI.', ['engine', 'contract']),
    only('main', 'Electron is a thin host.', ['host', 'engine', 'contract']),
    only('cli', 'The command line is a host without a window.', ['host', 'engine', 'contract']),
    only('local-service', 'The other side of the wire shares no code with the client.', []),
    {
      name: 'local-service-behind-a-process',
      comment: 'Only a launcher may know the local service, and only by its file name.',
      severity: 'error',
      from: { path: '^src/', pathNot: room('local-service') },
      to: { path: room('local-service') },
    },
    {
      name: 'engine-bottom',
      comment: 'jobs and pacing know no neighbour and no I/O but the store.',
      severity: 'error',
      from: { path: '^src/engine/(jobs|pacing)/' },
      to: { path: '^src/engine/(service|downloads|intake|keys|engine\\.ts)' },
    },
    {
      name: 'pacing-is-pure',
      severity: 'error',
      from: { path: '^src/engine/pacing/' },
      to: { path: '^src/engine/jobs/', dependencyTypes: ['core'] },
    },
    {
      name: 'engine-neighbours-meet-in-engine',
      comment: 'A part of the engine knows jobs and pacing; neighbours meet only in engine.ts.',
      severity: 'error',
      from: { path: '^src/engine/(service|downloads|intake|keys)/' },
      to: {
        path: '^src/engine/(service|downloads|intake|keys|engine\\.ts)',
        pathNot: '^src/engine/$1/',
      },
    },
    {
      name: 'no-electron-in-the-engine',
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
