/** Starts a program as a test does, prints its id and waits to be killed. */
import { spawn } from 'node:child_process';
import { endingWithTests } from './ending-with-tests.ts';

const child = spawn(...endingWithTests('sleep', ['600']), { stdio: 'ignore' });
console.log(child.pid);
