import type { Account } from '../../accounts/account.ts';
import type { KeyLabel } from '../../accounts/api-keys.ts';
import type { RateLimitStatus } from '../../accounts/rate-window.ts';
import type { QuotaParts } from '../gallery.ts';
import { type Content, html, type Html } from '../html.ts';
import {
  currentPasswordField,
  type Issues,
  issueSummary,
  textField,
  userNameField,
} from './fields.ts';
import { icon } from './icons.ts';
import { type PageSession, signedPage, tokenField } from './layout.ts';
import { dayOf, momentOf } from './moments.ts';

const KEY_PATH = '/settings/developer-api';

type SettingsSection = 'plan' | 'developer-api' | 'password';

/** A page of the settings, with links to the others. */
export function settingsPage(
  title: string,
  signed: PageSession,
  section: SettingsSection,
  content: Content,
): Html {
  const link = (name: SettingsSection, label: string): Html =>
    html`<a href="/settings/${name}" ${section === name && html`aria-current="page"`}>${label}</a>`;
  return signedPage(
    title,
    signed,
    'settings',
    html`<div class="settings">
      <div class="side">
        <p class="side-title">Settings</p>
        <nav aria-label="Settings">
          ${link('plan', 'Plan and usage')}${link('developer-api', 'Developer API')}${link('password', 'Password')}
        </nav>
      </div>
      <div class="stack">${content}</div>
    </div>`,
  );
}

/** The account's key, which can be revoked, or a link to generate one (service-api.md §2.1, §3). */
export function keyPage(signed: PageSession, key: KeyLabel | undefined): Html {
  return settingsPage(
    'Developer API',
    signed,
    'developer-api',
    html`<div class="heading">
        <h1>Developer API</h1>
        <p class="lead">
          An API key lets your programs make videos. They count against the same monthly quota as
          those of the studio.
        </p>
      </div>
      ${key ? activeKey(key) : noKey}
      <section class="card plain">
        <h2>How to use it</h2>
        <p>
          Send the key in the <code>X-API-Key</code> header of every request. Keep it out of code
          that others can read.
        </p>
        <p><a href="/api/v1/openapi.json">OpenAPI document</a></p>
      </section>`,
  );
}

function activeKey({ name, createdAt }: KeyLabel): Html {
  return html`<section class="card" aria-labelledby="key-heading">
    <h2 id="key-heading">Your key</h2>
    <div class="key-row">
      ${icon('key')}
      <div class="key-name">
        <strong>${name}</strong>
        <span class="soft">svc_live_••••••••</span>
        <span class="soft">Created ${momentOf(createdAt)}</span>
      </div>
      <a class="button icon-only" href="${KEY_PATH}/revoke" title="Revoke">
        ${icon('trash')}<span class="hidden">Revoke the key ${name}</span>
      </a>
    </div>
    <p class="hint">
      An account has one key. It does not expire. If it is lost, revoke it and generate a new one.
    </p>
  </section>`;
}

const noKey = html`<section class="card empty">
  ${icon('key')}
  <h2>No API key yet</h2>
  <p class="soft">Generate one to use the API. Its value is shown once.</p>
  <a class="button primary" href="${KEY_PATH}/new">Generate API Key</a>
</section>`;

export function newKeyPage(signed: PageSession, name: string, issues: Issues): Html {
  return settingsPage(
    issues.size > 0 ? 'Error: Generate API Key' : 'Generate API Key',
    signed,
    'developer-api',
    html`<section class="card narrow">
      <h1>Generate API Key</h1>
      ${issueSummary(issues)}
      <form method="post" action="${KEY_PATH}/new">
        ${tokenField(signed.token)}
        ${textField(
          {
            name: 'name',
            label: 'Name',
            value: name,
            hint: 'Where the key will be used, such as “Production”. 1 to 64 characters.',
            required: true,
            focused: issues.size === 0,
            maxLength: 64,
            autocomplete: 'off',
          },
          issues,
        )}
        ${userNameField(signed)} ${currentPasswordField(issues)}
        <div class="actions">
          <button class="primary">Create Key</button>
          <a class="button quiet" href="${KEY_PATH}">Cancel</a>
        </div>
      </form>
    </section>`,
  );
}

/** The only page that shows a key's value (service-api.md §2.1 rule 3). */
export function createdKeyPage(signed: PageSession, name: string, value: string): Html {
  return settingsPage(
    'Your new API key',
    signed,
    'developer-api',
    html`<section class="card narrow">
      <h1>Your new API key</h1>
      <p class="lead">Copy <strong>${name}</strong> now. It is not shown again.</p>
      <div class="field">
        <label for="key-value">Key</label>
        <div class="copy-row">
          <input
            id="key-value"
            class="mono"
            value="${value}"
            readonly
            autocomplete="off"
            spellcheck="false"
          />
          <button type="button" class="primary" data-copy="key-value" hidden>Copy</button>
        </div>
        <p class="hint" role="status" id="key-value-copied"></p>
      </div>
      <div class="actions"><a class="button" href="${KEY_PATH}">I have kept it</a></div>
    </section>`,
  );
}

export function revokeKeyPage(signed: PageSession, { name }: KeyLabel, issues: Issues): Html {
  return settingsPage(
    issues.size > 0 ? 'Error: Revoke the key' : 'Revoke the key',
    signed,
    'developer-api',
    html`<section class="card narrow">
      <h1>Revoke “${name}”?</h1>
      ${issueSummary(issues)}
      <p class="lead">
        Every program that uses this key stops working at once. Links to videos that it has
        requested already work for up to an hour. This cannot be undone; you can generate a new key
        afterwards.
      </p>
      <form method="post" action="${KEY_PATH}/revoke">
        ${tokenField(signed.token)} ${userNameField(signed)} ${currentPasswordField(issues)}
        <div class="actions">
          <button class="danger">${icon('trash')} Revoke key</button>
          <a class="button quiet" href="${KEY_PATH}" autofocus>Keep it</a>
        </div>
      </form>
    </section>`,
  );
}

/** One of the rate limits of service-api.md §8.1, with its current status. */
export interface LimitShown {
  readonly label: string;
  readonly request: string;
  readonly requests: number;
  readonly windowSeconds: number;
  readonly rateLimitStatus: RateLimitStatus;
}

/** Plan, quota and rate limits (service-api.md §2.5, §8). */
export function planPage(
  signed: PageSession,
  account: Account,
  quota: QuotaParts,
  limits: readonly LimitShown[],
): Html {
  const plan = account.plan.slice(0, 1).toUpperCase() + account.plan.slice(1);
  return settingsPage(
    'Plan and usage',
    signed,
    'plan',
    html`<div class="heading">
        <h1>Plan and usage</h1>
        <p class="lead">
          You are on the <strong>${plan}</strong> plan:
          ${quota.limit === null ? 'as many videos as this computer renders' : html`${quota.limit} videos a month`},
          shared by the studio and the API.
        </p>
      </div>
      <section class="card" aria-labelledby="quota-heading">
        <div class="between">
          <h2 id="quota-heading">Videos this month</h2>
          <span class="soft">Resets on ${dayOf(quota.resetAt)}</span>
        </div>
        ${quota.limit !== null && quotaBar(quota, quota.limit)}
        <dl class="numbers">
          <div>
            <dt><i class="dot used"></i>Used</dt>
            <dd>${quota.made}</dd>
          </div>
          <div>
            <dt><i class="dot held"></i>In progress</dt>
            <dd>${quota.held}</dd>
          </div>
          ${
            quota.limit !== null &&
            html`<div>
              <dt><i class="dot left"></i>Left</dt>
              <dd>${quota.left}</dd>
            </div>`
          }
        </dl>
        <p class="hint">A video that cannot be rendered is returned to the quota.</p>
      </section>
      ${quota.limit !== null && limitsSection(limits)}`,
  );
}

function limitsSection(limits: readonly LimitShown[]): Html {
  return html`<section class="card" aria-labelledby="limits-heading">
    <h2 id="limits-heading">Rate limits of the API</h2>
    <p class="hint">The studio is not bound by these.</p>
    <table>
      <thead>
        <tr>
          <th scope="col">Request</th>
          <th scope="col" class="number">Left</th>
          <th scope="col">Resets</th>
        </tr>
      </thead>
      <tbody>
        ${limits.map(limitRow)}
      </tbody>
    </table>
  </section>`;
}

function limitRow({ label, request, requests, windowSeconds, rateLimitStatus }: LimitShown): Html {
  return html`<tr>
    <th scope="row">${label} <code class="wide-only">${request}</code></th>
    <td class="number">
      ${rateLimitStatus.remaining} of ${requests} in ${windowOf(windowSeconds)}
    </td>
    <td>
      ${rateLimitStatus.remaining < requests ? momentOf(rateLimitStatus.resetAt) : 'Nothing used'}
    </td>
  </tr>`;
}

function windowOf(seconds: number): string {
  if (seconds % 3600 === 0) return seconds === 3600 ? '1 hour' : `${seconds / 3600} hours`;
  if (seconds % 60 === 0) return seconds === 60 ? '1 minute' : `${seconds / 60} minutes`;
  return `${seconds} seconds`;
}

function quotaBar({ made, held, left }: QuotaParts, limit: number): Html {
  const share = (videos: number): number => (limit > 0 ? Math.min(100, (videos / limit) * 100) : 0);
  return html`<svg
    class="quota-bar"
    role="img"
    aria-label="${made} used, ${held} being made, ${left} left"
    viewBox="0 0 100 1"
    preserveAspectRatio="none"
  >
    <rect class="left" width="100" height="1" />
    <rect class="held" width="${share(made + held)}" height="1" />
    <rect class="used" width="${share(made)}" height="1" />
  </svg>`;
}
