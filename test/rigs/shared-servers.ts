import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildApp } from 'fauxqs';
import type { TestProject } from 'vitest/node';
import { migratePostgres } from '../../src/local-service/postgres/postgres-stores.ts';
import { NO_POSTGRES, postgresPrograms, PostgresServer } from './postgres-server.ts';

/** A database with the service's tables, which tests copy. */
export const MIGRATED_DATABASE = 'migrated';

declare module 'vitest' {
  interface ProvidedContext {
    sharedServers: {
      /** Address of the server's own database. */
      readonly postgres: string;
      /** Endpoint of a server of the S3 protocol. */
      readonly s3: string;
    };
  }
}

/** Starts the servers that all tests of a project share. */
export default async function startSharedServers(
  project: TestProject,
): Promise<() => Promise<void>> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error(NO_POSTGRES);
  const postgres = await PostgresServer.start(programs);
  await postgres.query(`CREATE DATABASE ${MIGRATED_DATABASE}`);
  await migratePostgres({
    url: postgres.url(MIGRATED_DATABASE),
    onError: (error) => console.error(error),
  });
  const app = buildApp({ logger: false });
  await app.ready();
  const s3 = createServer((request, response) => app.routing(request, response));
  s3.listen(0, '127.0.0.1');
  await once(s3, 'listening');
  const { port } = s3.address() as AddressInfo;
  project.provide('sharedServers', { postgres: postgres.url(), s3: `http://127.0.0.1:${port}` });
  return async () => {
    s3.close();
    s3.closeAllConnections();
    await app.close();
    await postgres[Symbol.asyncDispose]();
  };
}
