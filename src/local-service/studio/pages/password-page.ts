import { html, type Html } from '../html.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from '../identity/passwords.ts';
import {
  currentPasswordField,
  type Issues,
  issueSummary,
  textField,
  userNameField,
} from './fields.ts';
import { type PageSession, tokenField } from './layout.ts';
import { settingsPage } from './settings-pages.ts';

/** The form for changing the password. @param isChanged shows a confirmation */
export function passwordPage(signed: PageSession, issues: Issues, isChanged: boolean): Html {
  return settingsPage(
    issues.size > 0 ? 'Error: Password' : 'Password',
    signed,
    'password',
    html`<div class="heading">
        <h1>Password</h1>
        <p class="lead">Changing it signs you out everywhere but here.</p>
      </div>
      ${
        isChanged &&
        html`<div class="notice good" role="status" tabindex="-1" autofocus>
          <h2>Your password was changed</h2>
          <p>Other browsers were signed out. Use the new password to sign in there.</p>
        </div>`
      }
      <section class="card narrow">
        ${issueSummary(issues)}
        <form method="post" action="/settings/password">
          ${tokenField(signed.token)} ${userNameField(signed)}
          ${currentPasswordField(issues, issues.size === 0 && !isChanged)}
          ${textField(
            {
              name: 'password',
              label: 'New password',
              type: 'password',
              autocomplete: 'new-password',
              hint: `${MIN_PASSWORD} to ${MAX_PASSWORD} characters. A sentence is good.`,
              required: true,
            },
            issues,
          )}
          <div class="actions"><button class="primary">Change password</button></div>
        </form>
      </section>
      <section class="card narrow" aria-labelledby="sessions-heading">
        <h2 id="sessions-heading">Sessions</h2>
        <p class="hint">
          A session ends after 14 days, or after 3 days without use. You can end all of them now,
          this one included.
        </p>
        <form method="post" action="/settings/password/sign-out">
          ${tokenField(signed.token)}
          <div class="actions"><button>Sign out everywhere</button></div>
        </form>
      </section>`,
  );
}
