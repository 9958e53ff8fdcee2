import { videosLeft } from './videos-left.ts';
import { type Draft, type DraftScene, sceneFieldName, settingNames } from '../drafts/draft.ts';
import {
  type SceneField,
  sceneFields,
  sceneKinds,
  sceneNames,
  timingFields,
} from '../drafts/scene-fields.ts';
import type { QuotaParts } from '../gallery.ts';
import { html, type Html } from '../html.ts';
import { issueLine, type Issues, issueSummary, selectField, textField } from './fields.ts';
import { icon, type IconName } from './icons.ts';
import { type PageSession, signedPage, tokenField } from './layout.ts';
import { dayOf } from './moments.ts';

/** A draft with its errors, and the id of the element to focus. */
export interface DraftView {
  readonly draft: Draft;
  readonly quota: QuotaParts;
  readonly issues: Issues;
  readonly focus?: string | undefined;
}

const shapes = [
  { value: '16:9', label: 'Wide', width: 24, height: 13.5 },
  { value: '9:16', label: 'Tall', width: 13.5, height: 24 },
  { value: '1:1', label: 'Square', width: 18, height: 18 },
  { value: '4:5', label: 'Portrait', width: 16, height: 20 },
] as const;

const resolutions = [480, 720, 1080, 1440, 2160].map((lines) => [String(lines), `${lines}p`]);
const frameRates = [24, 25, 30, 50, 60].map((fps) => [String(fps), String(fps)]);
const soundtracks = ['calm', 'bright', 'pulse', 'none'].map((name) => [name, capital(name)]);
const transitions = ['fade', 'slide', 'wipe', 'none'].map((name) => [name, capital(name)]);

/** The form for a new video. Each button submits the whole form, so it works without scripts. */
export function draftPage(signed: PageSession, view: DraftView): Html {
  const { draft, quota, issues, focus } = view;
  const { settings, scenes } = draft;
  return signedPage(
    issues.size > 0 ? 'Error: New video' : 'New video',
    signed,
    'studio',
    html`<form
      class="draft"
      method="post"
      action="/studio/new"
      enctype="multipart/form-data"
      novalidate
    >
      ${tokenField(signed.token)}
      <div class="draft-head between">
        <h1>New video</h1>
        <div class="actions">
          <a class="button quiet" href="/studio">Cancel</a>
          <button class="primary" name="action" value="make">Make video</button>
        </div>
      </div>
      ${issueSummary(issues)} ${quota.left === 0 && usedUp(quota)}
      <div class="draft-body">
        <div class="stack">
          <section class="card">
            ${textField(
              {
                name: 'title',
                label: settingNames.title,
                value: settings.title,
                hint: 'What you call the video; it is not shown in it.',
                focused: issues.size === 0 && focus === undefined,
                autocomplete: 'off',
              },
              issues,
            )}
          </section>
          ${scenes.map((scene, index) => sceneCard(scene, index, scenes.length, view))}
          <section class="card" id="scenes" tabindex="-1" ${focus === 'scenes' && html`autofocus`}>
            <h2>Add a scene</h2>
            ${issueLine('scenes', issues.get('scenes'))}
            <div class="actions">
              ${sceneKinds.map(
                (kind) =>
                  html`<button name="action" value="add-${kind}">
                    ${icon('add')} ${sceneNames[kind]}
                  </button>`,
              )}
            </div>
          </section>
        </div>
        <section class="card look" aria-labelledby="look">
          <h2 id="look">Look and sound</h2>
          <fieldset class="field" id="aspect">
            <legend>${settingNames.aspect}</legend>
            ${issueLine('aspect', issues.get('aspect'))}
            <div class="shapes">${shapes.map((shape) => shapeChoice(shape, settings.aspect))}</div>
          </fieldset>
          ${selectField('resolution', settingNames.resolution, settings.resolution, resolutions, issues)}
          ${selectField('fps', settingNames.fps, settings.fps, frameRates, issues)}
          ${textField(
            {
              name: 'duration',
              label: 'Length in seconds',
              value: settings.duration,
              hint: 'Left empty, every scene stands as long as it takes to read.',
              inputMode: 'decimal',
              autocomplete: 'off',
            },
            issues,
          )}
          ${selectField('soundtrack', settingNames.soundtrack, settings.soundtrack, soundtracks, issues)}
          <div class="colours">
            ${(['accent', 'background', 'text'] as const).map(
              (name) =>
                html`<div class="field">
                  <label for="${name}">${settingNames[name]}</label>
                  <input type="color" id="${name}" name="${name}" value="${settings[name]}" />
                  ${issueLine(name, issues.get(name))}
                </div>`,
            )}
          </div>
          <p class="hint">Text that would be hard to read on the background is made readable.</p>
          <button class="primary wide" name="action" value="make">Make video</button>
          <p class="hint" id="quota">${videosLeft(quota)}</p>
        </section>
      </div>
    </form>`,
  );
}

function usedUp({ resetAt }: QuotaParts): Html {
  return html`<div class="notice">
    <h2>${icon('warning')} This month’s videos are used up</h2>
    <p>You can make the next one on ${dayOf(resetAt)}.</p>
  </div>`;
}

function sceneCard(scene: DraftScene, index: number, count: number, view: DraftView): Html {
  const { kind, values } = scene;
  const { issues, focus } = view;
  const name = `Scene ${index + 1}: ${sceneNames[kind]}`;
  const tool = (verb: string, iconName: IconName, label: string, off = false): Html =>
    html`<button
      class="icon-only quiet"
      name="action"
      value="${verb}-${index}"
      title="${label}"
      ${off && html`disabled`}
    >
      ${icon(iconName)}<span class="hidden">${label} scene ${index + 1}</span>
    </button>`;
  const field = (of: SceneField): Html => sceneField(of, index, values[of.key] ?? '', view);
  return html`<section
    class="card scene"
    id="scene-${index}"
    tabindex="-1"
    aria-label="${name}"
    ${focus === `scene-${index}` && html`autofocus`}
  >
    <input type="hidden" name="${sceneFieldName(index, 'kind')}" value="${kind}" />
    <div class="between">
      <h2><span class="ordinal">${index + 1}</span> ${sceneNames[kind]}</h2>
      <div class="tools">
        ${tool('up', 'up', 'Move up', index === 0)}
        ${tool('down', 'down', 'Move down', index === count - 1)}
        ${tool('remove', 'trash', 'Remove')}
      </div>
    </div>
    ${sceneFields[kind].map(field)}
    <details ${needsDetails(scene, index, issues) && html`open`}>
      <summary>Timing and caption</summary>
      <div class="timing">
        ${timingFields.map(field)}
        ${selectField(
          sceneFieldName(index, 'transition'),
          'Transition',
          values.transition ?? 'fade',
          transitions,
          issues,
        )}
      </div>
    </details>
  </section>`;
}

/** Whether the collapsed fields must be visible, because one has a value or an error. */
function needsDetails({ values }: DraftScene, index: number, issues: Issues): boolean {
  const keys = [...timingFields.map(({ key }) => key), 'transition'];
  return keys.some(
    (key) =>
      issues.has(sceneFieldName(index, key)) ||
      (key === 'transition' ? (values[key] ?? 'fade') !== 'fade' : Boolean(values[key])),
  );
}

function sceneField(field: SceneField, index: number, value: string, view: DraftView): Html {
  const name = sceneFieldName(index, field.key);
  if (field.type === 'picture') return pictureField(field, index, value, view);
  return textField(
    {
      name,
      label: field.optional ? `${field.label} (optional)` : field.label,
      value: field.key === 'from' && value === '' ? '3' : value,
      ...(field.lines !== undefined && { lines: field.lines }),
      ...(field.hint !== undefined && { hint: field.hint }),
      ...(field.type === 'number' && { inputMode: 'decimal' as const }),
      focused: view.focus === name,
      autocomplete: 'off',
    },
    view.issues,
  );
}

function pictureField(
  { label, hint }: SceneField,
  index: number,
  image: string,
  { issues, focus }: DraftView,
): Html {
  const file = sceneFieldName(index, 'file');
  const issue = issues.get(sceneFieldName(index, 'image'));
  return html`<div class="field" id="${sceneFieldName(index, 'image')}">
    <label for="${file}">${image === '' ? label : `Another ${label.toLowerCase()}`}</label>
    <p class="hint" id="${file}-hint">${hint}</p>
    ${issueLine(file, issue)}
    ${
      image !== '' &&
      html`<img
          class="picture"
          src="/studio/images/${image}"
          alt="The picture of scene ${index + 1}"
        />
        <input type="hidden" name="${sceneFieldName(index, 'image')}" value="${image}" />`
    }
    <input
      type="file"
      id="${file}"
      name="${file}"
      accept="image/png,image/jpeg,image/webp"
      aria-describedby="${file}-hint${issue !== undefined ? ` ${file}-issue` : ''}"
      ${issue !== undefined && html`aria-invalid="true"`}
      ${focus === file && html`autofocus`}
    />
  </div>`;
}

function shapeChoice(
  { value, label, width, height }: (typeof shapes)[number],
  chosen: string,
): Html {
  const id = `aspect-${value.replace(':', '-')}`;
  return html`<div class="shape">
    <input
      type="radio"
      id="${id}"
      name="aspect"
      value="${value}"
      ${value === chosen && html`checked`}
    />
    <label for="${id}">
      <svg viewBox="0 0 28 28" aria-hidden="true" focusable="false">
        <rect
          x="${14 - width / 2}"
          y="${14 - height / 2}"
          width="${width}"
          height="${height}"
          rx="2"
        />
      </svg>
      ${label} <span class="soft">${value}</span>
    </label>
  </div>`;
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
