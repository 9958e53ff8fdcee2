/** The tables of the queue's database. */
import { SECTION_STATES } from '../../contract/job-order.ts';

/**
 * Raised with every change of `SCHEMA`: a database of another version is refused, and nothing is
 * converted.
 */
export const SCHEMA_VERSION = 107;

/** The section of the queue that a job is in; `next` and `later` are one here. */
function sectionOf(job: string): string {
  const cases = Object.entries(SECTION_STATES).map(
    ([section, states]) =>
      `WHEN ${job}.state IN (${states.map((state) => `'${state}'`).join(', ')}) THEN '${section}'`,
  );
  return `CASE ${cases.join(' ')} END`;
}

/** An UPDATE of `folded_into` of all videos of a row. */
export function foldRow(rowId: string): string {
  return `UPDATE job SET folded_into = (SELECT min(first.id) FROM job AS first
      WHERE first.row_id = job.row_id AND first.id < job.id
        AND (first.archived_at IS NULL) = (job.archived_at IS NULL)
        AND ${sectionOf('first')} = ${sectionOf('job')})
    WHERE row_id = ${rowId}`;
}

export const SCHEMA = `
  CREATE TABLE service (
    id INTEGER PRIMARY KEY,
    origin TEXT NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE batch (
    id INTEGER PRIMARY KEY,
    service_id INTEGER NOT NULL REFERENCES service (id),
    name TEXT NOT NULL,
    folder TEXT NOT NULL,
    name_template TEXT NOT NULL,
    on_collision TEXT NOT NULL,
    added_at REAL NOT NULL,
    UNIQUE (service_id, name, folder)
  ) STRICT;

  CREATE TABLE job (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    service_id INTEGER NOT NULL REFERENCES service (id),
    batch_id INTEGER NOT NULL REFERENCES batch (id),
    row_number INTEGER,
    -- Of a row that makes several videos: the first of their jobs.
    row_id INTEGER,
    -- What distinguishes it from the other videos of its row: '9:16 · de'.
    variant TEXT,
    -- The video of its row whose line in the same section of the queue stands for it.
    folded_into INTEGER,
    title TEXT NOT NULL,
    -- The title in lower case, to be searched; SQLite itself knows only ASCII's cases.
    title_folded TEXT NOT NULL,
    preset TEXT NOT NULL,
    body_sha256 BLOB NOT NULL,
    -- How many rows of this batch with the same body come before this one; negative once it is
    -- removed, so that the row can be added again.
    occurrence INTEGER NOT NULL,
    -- The first of the jobs with its request that the user asked for together with it; NULL: itself.
    duplicate_of INTEGER,
    state TEXT NOT NULL,
    priority INTEGER NOT NULL DEFAULT 0,
    position INTEGER NOT NULL,
    remote_id TEXT,
    -- Whether the service deletes its copy of the video, because every file of it is saved.
    video_deleted INTEGER NOT NULL DEFAULT 0,
    service_word TEXT,
    word_unknown INTEGER NOT NULL DEFAULT 0,
    progress REAL,
    failure TEXT,
    -- What the user should check (JSON, its sentences), although nothing failed.
    notice TEXT,
    -- What the service said that it cost (JSON: amount, unit, currency).
    cost TEXT,
    -- Where the file goes, inside the batch's folder; settled before its first byte.
    file_name TEXT,
    -- What a saved file is being renamed to, inside the batch's folder; NULL once it is.
    rename_to TEXT,
    file_path TEXT,
    file_bytes INTEGER,
    file_sha256 TEXT,
    file_seconds REAL,
    -- When the download of a finished video is tried again (local clock), how often it failed in a
    -- row and why it waits (JSON, see job-row.ts).
    next_try_at REAL,
    tries INTEGER NOT NULL DEFAULT 0,
    wait_reason TEXT,
    added_at REAL NOT NULL,
    submitted_at REAL,
    ready_at REAL,
    saved_at REAL,
    -- When it was taken out of the queue's list and counts; NULL while it is in them.
    archived_at REAL,
    -- When it was removed; also archived then. What it cost and what happened to it stays.
    removed_at REAL
  ) STRICT;
  CREATE INDEX job_row ON job (row_id) WHERE row_id IS NOT NULL;
  CREATE INDEX job_folded ON job (service_id, batch_id, state, row_id, priority DESC, position)
    WHERE folded_into IS NOT NULL AND archived_at IS NULL;
  CREATE TRIGGER job_folds AFTER UPDATE OF state, archived_at ON job
    WHEN new.row_id IS NOT NULL BEGIN
      ${foldRow('new.row_id')};
    END;
  CREATE UNIQUE INDEX job_body ON job (service_id, body_sha256, batch_id, occurrence);
  -- The last columns are there so that a filtered list need not read the rows it leaves out.
  -- Archived jobs are apart: any number of them does not slow the queue.
  CREATE INDEX job_order ON job
    (service_id, priority DESC, position, batch_id, state, archived_at, title_folded)
    WHERE archived_at IS NULL;
  CREATE INDEX job_state ON job
    (service_id, state, priority DESC, position, batch_id, archived_at, folded_into, row_id)
    WHERE archived_at IS NULL;
  CREATE INDEX job_archived ON job
    (service_id, priority DESC, position, batch_id, state, archived_at, title_folded)
    WHERE archived_at IS NOT NULL AND removed_at IS NULL;
  CREATE INDEX job_position ON job (service_id, position);
  CREATE INDEX job_added ON job (service_id, added_at);
  -- For telling whether an identifier is another video's.
  CREATE INDEX job_remote ON job (service_id, remote_id) WHERE remote_id IS NOT NULL;
  CREATE INDEX job_renaming ON job (service_id) WHERE rename_to IS NOT NULL;
  CREATE INDEX job_waiting ON job (service_id) WHERE next_try_at IS NOT NULL;
  CREATE INDEX job_file ON job (service_id, file_sha256) WHERE file_sha256 IS NOT NULL;

  -- Finds texts of three characters and more in titles of archived jobs. Jobs of the queue are few
  -- enough to be read.
  CREATE VIRTUAL TABLE archived_title USING fts5
    (title, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1');
  CREATE TRIGGER job_in_archive AFTER UPDATE OF archived_at, title_folded ON job
    WHEN new.archived_at IS NOT NULL BEGIN
      INSERT OR REPLACE INTO archived_title (rowid, title) VALUES (new.id, new.title_folded);
    END;
  CREATE TRIGGER job_out_of_archive AFTER UPDATE OF archived_at ON job
    WHEN new.archived_at IS NULL AND old.archived_at IS NOT NULL BEGIN
      DELETE FROM archived_title WHERE rowid = new.id;
    END;

  -- How rows become requests: the template of a profile, or of a user (JSON, see
  -- request-template.ts). Rows that were added with the same one share it.
  CREATE TABLE template (
    id INTEGER PRIMARY KEY,
    sha256 BLOB NOT NULL UNIQUE,
    content TEXT NOT NULL
  ) STRICT;

  -- A job's row, and the request that it makes: the bytes that are sent, as they were shown. Apart,
  -- so that rows of the table of jobs stay small.
  CREATE TABLE request (
    job_id INTEGER PRIMARY KEY REFERENCES job (id),
    template_id INTEGER NOT NULL REFERENCES template (id),
    -- JSON: pairs of a column and its value, see row-values.ts.
    row_values TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE answer (
    job_id INTEGER PRIMARY KEY REFERENCES job (id),
    body TEXT NOT NULL,
    at REAL NOT NULL
  ) STRICT;

  CREATE TABLE history (
    job_id INTEGER NOT NULL REFERENCES job (id),
    step INTEGER NOT NULL,
    at REAL NOT NULL,
    from_state TEXT NOT NULL,
    to_state TEXT NOT NULL,
    note TEXT,
    -- The sentences of a note, for pages in other languages: JSON.
    says TEXT,
    PRIMARY KEY (job_id, step)
  ) STRICT, WITHOUT ROWID;
  -- For reading the past newest first: what is asked for is a few states, and the latest moves there.
  CREATE INDEX history_time ON history (to_state, at, job_id, step);

  -- One row for every time that a request may have left.
  CREATE TABLE attempt (
    id INTEGER PRIMARY KEY,
    job_id INTEGER NOT NULL REFERENCES job (id),
    started_at REAL NOT NULL,
    ended_at REAL,
    outcome TEXT,
    -- Of a request that says who it is (JSON, see attempt-mark.ts), so that it can be found again.
    own_id TEXT,
    mark TEXT,
    -- The attempt that this one repeats, with the same identifier and the same bytes.
    repeats INTEGER REFERENCES attempt (id),
    -- How far its outcome was looked for (JSON, see attempt-mark.ts).
    settling TEXT
  ) STRICT;
  CREATE INDEX attempt_job ON attempt (job_id);
  CREATE INDEX attempt_open ON attempt (job_id) WHERE ended_at IS NULL;
  CREATE UNIQUE INDEX attempt_own_id ON attempt (own_id)
    WHERE own_id IS NOT NULL AND repeats IS NULL;

  -- One row a unit of quota: held, then charged or released; refunded when a render failed.
  CREATE TABLE charge (
    id INTEGER PRIMARY KEY,
    service_id INTEGER NOT NULL REFERENCES service (id),
    job_id INTEGER NOT NULL REFERENCES job (id),
    at REAL NOT NULL,
    -- When the unit was taken by the service's clock: what decides in which cycle it counts. The
    -- local clock may be set later, and a unit must not move to another cycle then.
    service_at REAL NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('held', 'charged', 'released', 'refunded'))
  ) STRICT;
  CREATE INDEX charge_cycle ON charge (service_id, state, service_at);
  CREATE INDEX charge_job ON charge (job_id);

  -- What the user and the service have said of the quota.
  CREATE TABLE quota_word (
    id INTEGER PRIMARY KEY,
    service_id INTEGER NOT NULL REFERENCES service (id),
    at REAL NOT NULL,
    -- How many videos of the cycle are used, as the user said; NULL: the service refused for want.
    used INTEGER,
    -- By how much that changed the count.
    difference INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX quota_word_time ON quota_word (service_id, at);

  -- What the user did lately, and can undo.
  CREATE TABLE undo_step (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    service_id INTEGER NOT NULL REFERENCES service (id),
    -- A name of UNDO_COMMANDS.
    command TEXT NOT NULL,
    at REAL NOT NULL,
    -- How many jobs it changed.
    jobs INTEGER NOT NULL,
    -- NULL while it can be undone.
    undone_at REAL
  ) STRICT;
  CREATE INDEX undo_step_service ON undo_step (service_id, id);

  -- What a step changed of a job that is not undone yet.
  CREATE TABLE undo_job (
    step_id INTEGER NOT NULL REFERENCES undo_step (id),
    job_id INTEGER NOT NULL REFERENCES job (id),
    -- The changed columns with their values before and after (JSON, see undo-log.ts).
    was TEXT NOT NULL,
    became TEXT NOT NULL,
    -- Its place, if that changed: apart, so that it follows when rows make room for others.
    was_at INTEGER,
    became_at INTEGER,
    PRIMARY KEY (step_id, job_id)
  ) STRICT, WITHOUT ROWID;

  -- What the engine remembers of a service besides jobs: rate windows, render times, a pause.
  CREATE TABLE note (
    service_id INTEGER NOT NULL REFERENCES service (id),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (service_id, name)
  ) STRICT, WITHOUT ROWID;
`;
