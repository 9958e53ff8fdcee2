/** The page's entry point: connects, loads the preferences and mounts the app. */
import { mount } from 'svelte';
import './design/tokens.css';
import './design/base.css';
import App from './app.svelte';
import { connect } from './connection/connect.ts';
import { browserEnvironment } from './browser-environment.ts';
import { AppState } from './state/app-state.svelte.ts';

const target = document.querySelector('#app');
if (target === null) throw new Error('The page has no place for the app.');

const connection = connect(window);
const app = new AppState(connection.client, browserEnvironment(window, connection));
// What a page of an ended run passed on is read once: it is not kept by a reload.
if (location.search !== '') history.replaceState(null, '', location.pathname);
// Before anything is shown, so that no text changes its language.
await app.preferences.load();
mount(App, { target, props: { app } });
