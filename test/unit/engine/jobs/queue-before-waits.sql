-- A dump of a queue that Spool at commit 8801e31 wrote: jobs in every state, reached by real moves.
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
    title TEXT NOT NULL,
    -- The title in lower case, to be searched; SQLite itself knows only ASCII's cases.
    title_folded TEXT NOT NULL,
    preset TEXT NOT NULL,
    body_sha256 BLOB NOT NULL,
    -- How many rows of this batch with the same body come before this one.
    occurrence INTEGER NOT NULL,
    state TEXT NOT NULL,
    priority INTEGER NOT NULL DEFAULT 0,
    position INTEGER NOT NULL,
    remote_id TEXT,
    service_word TEXT,
    word_unknown INTEGER NOT NULL DEFAULT 0,
    progress REAL,
    failure TEXT,
    -- Where the file goes, inside the batch's folder; settled before its first byte.
    file_name TEXT,
    file_path TEXT,
    file_bytes INTEGER,
    file_sha256 TEXT,
    file_seconds REAL,
    added_at REAL NOT NULL,
    submitted_at REAL,
    ready_at REAL,
    saved_at REAL
  , imported_sha256 BLOB, imported_occurrence INTEGER, rename_to TEXT) STRICT;
CREATE UNIQUE INDEX job_body ON job (service_id, body_sha256, batch_id, occurrence);
CREATE INDEX job_order ON job (service_id, priority DESC, position, batch_id, state);
CREATE INDEX job_state ON job (service_id, state, priority DESC, position, batch_id);
CREATE TABLE request (
    job_id INTEGER PRIMARY KEY REFERENCES job (id),
    body TEXT NOT NULL,
    cells TEXT NOT NULL
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
    note TEXT, says TEXT,
    PRIMARY KEY (job_id, step)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE attempt (
    id INTEGER PRIMARY KEY,
    job_id INTEGER NOT NULL REFERENCES job (id),
    started_at REAL NOT NULL,
    ended_at REAL,
    outcome TEXT
  ) STRICT;
CREATE INDEX attempt_job ON attempt (job_id);
CREATE TABLE charge (
    id INTEGER PRIMARY KEY,
    service_id INTEGER NOT NULL REFERENCES service (id),
    job_id INTEGER NOT NULL REFERENCES job (id),
    at REAL NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('held', 'charged', 'released', 'refunded'))
  , service_at REAL NOT NULL DEFAULT 0) STRICT;
CREATE INDEX charge_job ON charge (job_id);
CREATE TABLE note (
    service_id INTEGER NOT NULL REFERENCES service (id),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (service_id, name)
  ) STRICT, WITHOUT ROWID;
CREATE INDEX history_time ON history (to_state, at, job_id, step);
CREATE INDEX job_added ON job (service_id, added_at);
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
CREATE INDEX job_remote ON job (service_id, remote_id) WHERE remote_id IS NOT NULL;
CREATE INDEX job_imported ON job (service_id, imported_sha256, batch_id)
    WHERE imported_sha256 IS NOT NULL;
CREATE INDEX job_renaming ON job (service_id) WHERE rename_to IS NOT NULL;
CREATE INDEX charge_cycle ON charge (service_id, state, service_at);
INSERT INTO service VALUES (1, 'https://service.example');
INSERT INTO batch VALUES (1, 1, 'Launch week', '/renders', '{index} {title}', 'number', 1795424400000);
INSERT INTO job VALUES (1, 1, 1, 2, 'Draft', 'draft', 'short', x'4206819e13d024dd63e6513318be6bd925df3b798880c205d3a06e1d4c44d81c', 0, 'draft', 0, 1024, NULL, NULL, 0, NULL, NULL, '2 Draft.mp4', NULL, NULL, NULL, NULL, 1795424400000, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO job VALUES (2, 1, 1, 3, 'Queued', 'queued', 'short', x'97e84a24e6be3aa694882579409d0db7842539986971f528f4e7d3b594bd39b5', 0, 'queued', 2, 2048, NULL, NULL, 0, NULL, NULL, '3 Queued.mp4', NULL, NULL, NULL, NULL, 1795424400000, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO job VALUES (3, 1, 1, 4, 'Held', 'held', 'short', x'923a5068e2371702a5a75259cb59dd06374812a99895a3a36e748e57597575e5', 0, 'held', 0, 3072, NULL, NULL, 0, NULL, NULL, '4 Held.mp4', NULL, NULL, NULL, NULL, 1795424400000, NULL, NULL, NULL, x'59d4867920d04c8b767c951f5b2aa1d49618dc5e8d959c392e73a2f6725aa084', 0, NULL);
INSERT INTO job VALUES (4, 1, 1, 5, 'Cancelled', 'cancelled', 'short', x'1148918e76f8b06a0d3d87cb02eaf0d15779e5e3af3cfa8086c201d5ae4e249e', 0, 'cancelled', 0, 4096, NULL, NULL, 0, NULL, NULL, '5 Cancelled.mp4', NULL, NULL, NULL, NULL, 1795424400000, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO job VALUES (5, 1, 1, 6, 'Uncertain', 'uncertain', 'short', x'3c112ed364437d2b0e9ebf2c80f31f2fd8f037e429a0426011eb28a0f71de605', 0, 'uncertain', 0, 5120, NULL, NULL, 0, NULL, NULL, '6 Uncertain.mp4', NULL, NULL, NULL, NULL, 1795424400000, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO job VALUES (6, 1, 1, 7, 'Rejected', 'rejected', 'short', x'6a3ae41787846ff8c685308d183ee4b5173b545fb88a045a5fe5887f8e18077e', 0, 'rejected', 0, 6144, NULL, NULL, 0, NULL, '{"code":"service-refused","message":"The disk is full.","says":[{"sentence":"disk-was-full","values":{}}]}', '7 Rejected.mp4', NULL, NULL, NULL, NULL, 1795424400000, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO job VALUES (7, 1, 1, 8, 'Submitted', 'submitted', 'short', x'85b560744cee4874ecc64888cdd4a3ac583972d4908c75d8f8e457fb23f2df93', 0, 'submitted', 0, 7168, 'vid-Submitted', NULL, 0, NULL, NULL, '8 Submitted.mp4', NULL, NULL, NULL, NULL, 1795424400000, 1795424410000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO job VALUES (8, 1, 1, 9, 'Rendering', 'rendering', 'short', x'c8c9902ab4468a55449e546590a4d20b8514c01be1076a883f636b49a52850b8', 0, 'rendering', 0, 8192, 'vid-Rendering', 'working', 0, 0.5, NULL, '9 Rendering.mp4', NULL, NULL, NULL, NULL, 1795424400000, 1795424413000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO job VALUES (9, 1, 1, 10, 'Ready', 'ready', 'short', x'2d14c4933a236be2dfbb7517e5de2f7723c21ef96d262704ce59f503faeee222', 0, 'ready', 0, 9216, 'vid-Ready', 'done', 0, NULL, NULL, '10 Ready.mp4', NULL, NULL, NULL, NULL, 1795424400000, 1795424416000, 1795424435000, NULL, NULL, NULL, NULL);
INSERT INTO job VALUES (10, 1, 1, 11, 'Failed', 'failed', 'short', x'55941ccb92262b3214c1ec349248afdfcd1a0a488227cfb06c3ee01fe11f0b3a', 0, 'failed', 0, 10240, 'vid-Failed', 'working', 0, 0.5, '{"code":"render-failed","message":"The disk is full.","says":[{"sentence":"disk-was-full","values":{}}]}', '11 Failed.mp4', NULL, NULL, NULL, NULL, 1795424400000, 1795424419000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO job VALUES (11, 1, 1, 12, 'Done', 'done', 'short', x'907c6bceed39d9aecdfb5783f33f2c8c5aa3064f7c54a60bf03452570153961d', 0, 'done', 0, 11264, 'vid-Done', 'done', 0, NULL, NULL, '12 Done.mp4', '/renders/Done.mp4', 1234, 'abababababababababababababababababababababababababababababababab', 2.5, 1795424400000, 1795424422000, 1795424436000, 1795424440000, NULL, NULL, 'Renamed.mp4');
INSERT INTO job VALUES (12, 1, 1, 13, 'Missing', 'missing', 'short', x'8ba60c61036457f4a4dbde657e2ce68c4f795c84cd8ed6fa64746753af0a0435', 0, 'missing', 0, 12288, 'vid-Missing', 'done', 0, NULL, NULL, '13 Missing.mp4', '/renders/Missing.mp4', 1234, 'abababababababababababababababababababababababababababababababab', 2.5, 1795424400000, 1795424425000, 1795424437000, 1795424443000, NULL, NULL, NULL);
INSERT INTO job VALUES (13, 1, 1, 14, 'Abandoned', 'abandoned', 'short', x'32050d6cfaa0938bdc6b67e8a9462f6dfc79d9ce3cc3166f957fb14f3a57a929', 0, 'abandoned', 0, 13312, 'vid-Abandoned', NULL, 0, NULL, NULL, '14 Abandoned.mp4', NULL, NULL, NULL, NULL, 1795424400000, 1795424428000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO request VALUES (1, '{"title":"Draft"}', '[["title","Draft"]]');
INSERT INTO request VALUES (2, '{"title":"Queued"}', '[["title","Queued"]]');
INSERT INTO request VALUES (3, '{"title":"Held, edited"}', '[["title","Held"]]');
INSERT INTO request VALUES (4, '{"title":"Cancelled"}', '[["title","Cancelled"]]');
INSERT INTO request VALUES (5, '{"title":"Uncertain"}', '[["title","Uncertain"]]');
INSERT INTO request VALUES (6, '{"title":"Rejected"}', '[["title","Rejected"]]');
INSERT INTO request VALUES (7, '{"title":"Submitted"}', '[["title","Submitted"]]');
INSERT INTO request VALUES (8, '{"title":"Rendering"}', '[["title","Rendering"]]');
INSERT INTO request VALUES (9, '{"title":"Ready"}', '[["title","Ready"]]');
INSERT INTO request VALUES (10, '{"title":"Failed"}', '[["title","Failed"]]');
INSERT INTO request VALUES (11, '{"title":"Done"}', '[["title","Done"]]');
INSERT INTO request VALUES (12, '{"title":"Missing"}', '[["title","Missing"]]');
INSERT INTO request VALUES (13, '{"title":"Abandoned"}', '[["title","Abandoned"]]');
INSERT INTO answer VALUES (8, '{"status":"working"}', 1795424430000);
INSERT INTO answer VALUES (9, '{"status":"working"}', 1795424431000);
INSERT INTO answer VALUES (10, '{"status":"working"}', 1795424432000);
INSERT INTO answer VALUES (11, '{"status":"working"}', 1795424433000);
INSERT INTO answer VALUES (12, '{"status":"working"}', 1795424434000);
INSERT INTO history VALUES (3, 1, 1795424401000, 'queued', 'held', NULL, NULL);
INSERT INTO history VALUES (4, 1, 1795424402000, 'queued', 'cancelled', NULL, NULL);
INSERT INTO history VALUES (5, 1, 1795424403000, 'queued', 'reserved', NULL, NULL);
INSERT INTO history VALUES (5, 2, 1795424404000, 'reserved', 'sending', NULL, NULL);
INSERT INTO history VALUES (5, 3, 1795424405000, 'sending', 'uncertain', 'Spool stopped while the request was being sent, so it may have been accepted.', '[{"sentence":"stopped-while-sending","values":{}}]');
INSERT INTO history VALUES (6, 1, 1795424406000, 'queued', 'reserved', NULL, NULL);
INSERT INTO history VALUES (6, 2, 1795424407000, 'reserved', 'sending', NULL, NULL);
INSERT INTO history VALUES (6, 3, 1795424408000, 'sending', 'rejected', NULL, NULL);
INSERT INTO history VALUES (7, 1, 1795424409000, 'queued', 'reserved', NULL, NULL);
INSERT INTO history VALUES (7, 2, 1795424410000, 'reserved', 'sending', NULL, NULL);
INSERT INTO history VALUES (7, 3, 1795424411000, 'sending', 'submitted', NULL, NULL);
INSERT INTO history VALUES (8, 1, 1795424412000, 'queued', 'reserved', NULL, NULL);
INSERT INTO history VALUES (8, 2, 1795424413000, 'reserved', 'sending', NULL, NULL);
INSERT INTO history VALUES (8, 3, 1795424414000, 'sending', 'submitted', NULL, NULL);
INSERT INTO history VALUES (8, 4, 1795424430000, 'submitted', 'rendering', NULL, NULL);
INSERT INTO history VALUES (9, 1, 1795424415000, 'queued', 'reserved', NULL, NULL);
INSERT INTO history VALUES (9, 2, 1795424416000, 'reserved', 'sending', NULL, NULL);
INSERT INTO history VALUES (9, 3, 1795424417000, 'sending', 'submitted', NULL, NULL);
INSERT INTO history VALUES (9, 4, 1795424431000, 'submitted', 'rendering', NULL, NULL);
INSERT INTO history VALUES (9, 5, 1795424436000, 'rendering', 'ready', NULL, NULL);
INSERT INTO history VALUES (10, 1, 1795424418000, 'queued', 'reserved', NULL, NULL);
INSERT INTO history VALUES (10, 2, 1795424419000, 'reserved', 'sending', NULL, NULL);
INSERT INTO history VALUES (10, 3, 1795424420000, 'sending', 'submitted', NULL, NULL);
INSERT INTO history VALUES (10, 4, 1795424432000, 'submitted', 'rendering', NULL, NULL);
INSERT INTO history VALUES (10, 5, 1795424435000, 'rendering', 'failed', NULL, NULL);
INSERT INTO history VALUES (11, 1, 1795424421000, 'queued', 'reserved', NULL, NULL);
INSERT INTO history VALUES (11, 2, 1795424422000, 'reserved', 'sending', NULL, NULL);
INSERT INTO history VALUES (11, 3, 1795424423000, 'sending', 'submitted', NULL, NULL);
INSERT INTO history VALUES (11, 4, 1795424433000, 'submitted', 'rendering', NULL, NULL);
INSERT INTO history VALUES (11, 5, 1795424437000, 'rendering', 'ready', NULL, NULL);
INSERT INTO history VALUES (11, 6, 1795424439000, 'ready', 'downloading', NULL, NULL);
INSERT INTO history VALUES (11, 7, 1795424440000, 'downloading', 'verifying', NULL, NULL);
INSERT INTO history VALUES (11, 8, 1795424441000, 'verifying', 'done', NULL, NULL);
INSERT INTO history VALUES (12, 1, 1795424424000, 'queued', 'reserved', NULL, NULL);
INSERT INTO history VALUES (12, 2, 1795424425000, 'reserved', 'sending', NULL, NULL);
INSERT INTO history VALUES (12, 3, 1795424426000, 'sending', 'submitted', NULL, NULL);
INSERT INTO history VALUES (12, 4, 1795424434000, 'submitted', 'rendering', NULL, NULL);
INSERT INTO history VALUES (12, 5, 1795424438000, 'rendering', 'ready', NULL, NULL);
INSERT INTO history VALUES (12, 6, 1795424442000, 'ready', 'downloading', NULL, NULL);
INSERT INTO history VALUES (12, 7, 1795424443000, 'downloading', 'verifying', NULL, NULL);
INSERT INTO history VALUES (12, 8, 1795424444000, 'verifying', 'done', NULL, NULL);
INSERT INTO history VALUES (12, 9, 1795424445000, 'done', 'missing', NULL, NULL);
INSERT INTO history VALUES (13, 1, 1795424427000, 'queued', 'reserved', NULL, NULL);
INSERT INTO history VALUES (13, 2, 1795424428000, 'reserved', 'sending', NULL, NULL);
INSERT INTO history VALUES (13, 3, 1795424429000, 'sending', 'submitted', NULL, NULL);
INSERT INTO history VALUES (13, 4, 1795424446000, 'submitted', 'abandoned', NULL, NULL);
INSERT INTO attempt VALUES (1, 5, 1795424404000, 1795424404000, 'unknown');
INSERT INTO attempt VALUES (2, 6, 1795424407000, 1795424407000, 'rejected');
INSERT INTO attempt VALUES (3, 7, 1795424410000, 1795424410000, 'accepted');
INSERT INTO attempt VALUES (4, 8, 1795424413000, 1795424413000, 'accepted');
INSERT INTO attempt VALUES (5, 9, 1795424416000, 1795424416000, 'accepted');
INSERT INTO attempt VALUES (6, 10, 1795424419000, 1795424419000, 'accepted');
INSERT INTO attempt VALUES (7, 11, 1795424422000, 1795424422000, 'accepted');
INSERT INTO attempt VALUES (8, 12, 1795424425000, 1795424425000, 'accepted');
INSERT INTO attempt VALUES (9, 13, 1795424428000, 1795424428000, 'accepted');
INSERT INTO charge VALUES (1, 1, 5, 1795424402000, 'held', 1795424402000);
INSERT INTO charge VALUES (2, 1, 6, 1795424405000, 'released', 1795424405000);
INSERT INTO charge VALUES (3, 1, 7, 1795424408000, 'charged', 1795424408000);
INSERT INTO charge VALUES (4, 1, 8, 1795424411000, 'charged', 1795424411000);
INSERT INTO charge VALUES (5, 1, 9, 1795424414000, 'charged', 1795424414000);
INSERT INTO charge VALUES (6, 1, 10, 1795424417000, 'refunded', 1795424417000);
INSERT INTO charge VALUES (7, 1, 11, 1795424420000, 'charged', 1795424420000);
INSERT INTO charge VALUES (8, 1, 12, 1795424423000, 'charged', 1795424423000);
INSERT INTO charge VALUES (9, 1, 13, 1795424426000, 'charged', 1795424426000);
INSERT INTO note VALUES (1, 'file', '{"device":"2049","inode":"2155283","birth":null}');
INSERT INTO note VALUES (1, 'taught-words', '{"shipped":"done"}');
INSERT INTO quota_word VALUES (1, 1, 1795424446000, 9, 2);
PRAGMA user_version = 7;
