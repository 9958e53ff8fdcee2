/** A parent that starts the local service in a folder, prints its port, and waits to be killed. */
import { localPort } from '../../src/host/local-port.ts';
import { LocalService } from '../../src/host/local-service.ts';
import { LOCAL_SERVICE_FILE, serviceProgramInNode } from '../../src/host/service-program.ts';

const [, , folder = ''] = process.argv;
const port = await localPort(folder);
await new LocalService(serviceProgramInNode(LOCAL_SERVICE_FILE), folder).start(port);
process.stdout.write(`${port}\n`);
setInterval(() => undefined, 60_000);
