/// <reference types="vite/client" />
import { mount } from 'svelte';
import '../../../src/renderer/design/tokens.css';
import '../../../src/renderer/design/base.css';
import App from '../../../src/renderer/app.svelte';
import { AppState } from '../../../src/renderer/state/app-state.svelte.ts';
import { browserSurroundings } from '../../../src/renderer/surroundings.ts';
import { fakeEngine, type FakeEngine } from '../fake-client.ts';
import { BEGINS_AT, SCENES, type SceneName } from './scenes.ts';

declare global {
  interface Window {
    /** The engine behind this page, for the tests that drive it. */
    engine: FakeEngine;
    /** The time of this page, in milliseconds since the epoch. It passes when a test says so. */
    now: number;
  }
}

const name = new URLSearchParams(location.search).get('scene') ?? 'running';
const scene = SCENES[name as SceneName];
window.now = BEGINS_AT;
window.engine = fakeEngine(scene, BEGINS_AT);
const surroundings = { ...browserSurroundings(window), now: () => window.now };
const app = new AppState(window.engine.client, surroundings);
await app.preferences.load();
mount(App, { target: document.body, props: { app } });
