/**
 * The baseline: a Fastify route over the same TLS that only returns the given JSON.
 * `node bare-fastify.ts CERT KEY JSON` prints its port when it listens.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

const [cert = '', key = '', json = ''] = process.argv.slice(2);
const answer = JSON.parse(json) as unknown;
const app = fastify({ https: { cert: readFileSync(cert), key: readFileSync(key) } });
app.get('/api/v1/video/status/:id', () => answer);
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`);
