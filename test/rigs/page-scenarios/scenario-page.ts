/// <reference types="vite/client" />
import { mount, unmount } from 'svelte';
import '../../../src/renderer/design/tokens.css';
import '../../../src/renderer/design/base.css';
import App from '../../../src/renderer/app.svelte';
import { AppState } from '../../../src/renderer/state/app-state.svelte.ts';
import { browserEnvironment } from '../../../src/renderer/browser-environment.ts';
import { fakeEngine, type FakeEngine } from '../fake-client.ts';
import { DocumentState } from './document-state.ts';
import { lateClient } from './late-client.ts';
import { BEGINS_AT, SCENARIOS, type ScenarioName } from './scenarios.ts';

/** Shows one scenario after another in the same document. */
interface ScenarioStage {
  /** The previous scenario has been closed. */
  open(name: ScenarioName): Promise<void>;
  /** Returns whether the document is as it was before, so that it can show another scenario. */
  close(): Promise<boolean>;
}

declare global {
  interface Window {
    /** The engine behind this page, for the tests that drive it. */
    engine: FakeEngine;
    /** The page's time, in milliseconds since the epoch. It advances only when a test says so. */
    now: number;
    stage: ScenarioStage;
  }
}

/** The engine's own code, which changes the fake's jobs, measures file names with it. */
const bytes = new TextEncoder();
Object.assign(window, { Buffer: { byteLength: (text: string) => bytes.encode(text).length } });

/** One for all scenarios, because it listens to the window until the document ends. */
const environment = browserEnvironment(window, {
  connectionLoss: () => Promise.resolve('unknown'),
  continueWith: () => undefined,
});

let close: () => Promise<void> = () => Promise.resolve();

async function open(name: ScenarioName, isLate = false): Promise<void> {
  window.now = BEGINS_AT;
  window.engine = fakeEngine(SCENARIOS[name], BEGINS_AT);
  // What is still under way when a scenario closes stores nothing for the next one.
  let isOpen = true;
  const { client } = window.engine;
  const app = new AppState(isLate ? lateClient(client, name.length) : client, {
    ...environment,
    storage: {
      getItem: (key: string) => localStorage.getItem(key),
      setItem: (key: string, value: string) => {
        if (isOpen) localStorage.setItem(key, value);
      },
    },
    now: () => window.now,
    // So that no notice disappears before a test has checked it.
    successToastMs: 24 * 3_600_000,
  });
  await app.preferences.load();
  const mounted = mount(App, { target: document.body, props: { app } });
  close = async () => {
    isOpen = false;
    await unmount(mounted);
  };
}

const asked = new URLSearchParams(location.search);
await open((asked.get('scene') ?? 'running') as ScenarioName, asked.has('late'));

const state = new DocumentState(window, ['engine', 'now', 'stage', 'axe']);
window.stage = {
  open(name) {
    // For a test that loads its page again.
    history.replaceState(null, '', `?scene=${name}`);
    return open(name);
  },
  async close() {
    await close();
    return state.restore();
  },
};
