/// <reference types="vite/client" />
import { mount } from 'svelte';
import '../../../src/renderer/design/tokens.css';
import '../../../src/renderer/design/base.css';
import App from '../../../src/renderer/app.svelte';
import { AppState } from '../../../src/renderer/state/app-state.svelte.ts';
import { browserEnvironment } from '../../../src/renderer/browser-environment.ts';
import { fakeEngine, type FakeEngine } from '../fake-client.ts';
import { lateClient } from './late-client.ts';
import { BEGINS_AT, SCENARIOS, type ScenarioName } from './scenarios.ts';

declare global {
  interface Window {
    /** The engine behind this page, for the tests that drive it. */
    engine: FakeEngine;
    /** The page's time, in milliseconds since the epoch. It advances only when a test says so. */
    now: number;
  }
}

const asked = new URLSearchParams(location.search);
const name = asked.get('scene') ?? 'running';
const scene = SCENARIOS[name as ScenarioName];
window.now = BEGINS_AT;
window.engine = fakeEngine(scene, BEGINS_AT);
const environment = {
  ...browserEnvironment(window),
  now: () => window.now,
  // So that no notice disappears before a test has checked it.
  successToastMs: 24 * 3_600_000,
};
const { client } = window.engine;
const app = new AppState(asked.has('late') ? lateClient(client, name.length) : client, environment);
await app.preferences.load();
mount(App, { target: document.body, props: { app } });
