import { html, type Html } from '../html.ts';
import { MIN_PASSWORD } from '../identity/passwords.ts';
import { type Issues, issueSummary, textField } from './fields.ts';
import { tokenField, visitorPage } from './layout.ts';

export interface IdentityForm {
  readonly token: string;
  readonly email: string;
  readonly issues: Issues;
  /** Where to go after signing in. */
  readonly next?: string | undefined;
}

export function signInPage({ token, email, issues, next }: IdentityForm): Html {
  return visitorPage(
    titled('Sign in', issues),
    html`<section class="card">
        <h1>Sign in</h1>
        ${issueSummary(issues)}
        <form method="post" action="/sign-in">
          ${tokenField(token)} ${next && html`<input type="hidden" name="next" value="${next}" />`}
          ${textField({ ...emailField, value: email, focused: issues.size === 0 }, issues)}
          ${textField(
            {
              name: 'password',
              label: 'Password',
              type: 'password',
              autocomplete: 'current-password',
              required: true,
            },
            issues,
          )}
          <button class="primary wide">Sign in</button>
        </form>
      </section>
      <p class="aside">No account yet? <a href="/sign-up">Sign up</a></p>`,
  );
}

export function signUpPage({ token, email, issues }: IdentityForm): Html {
  return visitorPage(
    titled('Sign up', issues),
    html`<section class="card">
        <h1>Sign up</h1>
        <p class="lead">
          The Free plan makes 3 videos a month, in the studio and through the API. The month begins
          on the day you sign up.
        </p>
        ${issueSummary(issues)}
        <form method="post" action="/sign-up">
          ${tokenField(token)}
          ${textField({ ...emailField, value: email, focused: issues.size === 0 }, issues)}
          ${textField(
            {
              name: 'password',
              label: 'Password',
              type: 'password',
              autocomplete: 'new-password',
              hint: `At least ${MIN_PASSWORD} characters. A sentence is good.`,
              required: true,
            },
            issues,
          )}
          <button class="primary wide">Sign up</button>
        </form>
      </section>
      <p class="aside">Have an account? <a href="/sign-in">Sign in</a></p>`,
  );
}

const emailField = {
  name: 'email',
  label: 'Email address',
  type: 'email',
  autocomplete: 'username',
  required: true,
  maxLength: 254,
} as const;

function titled(title: string, issues: Issues): string {
  return issues.size > 0 ? `Error: ${title}` : title;
}
