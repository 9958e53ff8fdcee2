import type { Localization } from '../../formatting/localization.ts';
import type { AddProblem } from '../../state/offered-file.ts';

interface ProblemWords {
  readonly happened: string;
  readonly means: string;
  readonly detail: string | null;
}

/** Why nothing is checked or added, for a notice. */
export function problemWords(
  problem: AddProblem,
  l10n: Pick<Localization, 'texts' | 'viewTexts' | 'translate'>,
): ProblemWords {
  const { texts, viewTexts } = l10n;
  switch (problem.kind) {
    case 'failure': {
      const { failure } = problem;
      const { happened, means } = texts.failures[failure.code];
      return {
        happened,
        means: `${l10n.translate(failure)} ${means}`,
        detail: failure.detail ?? null,
      };
    }
    case 'lost':
      return { happened: texts.problems.lost, means: texts.problems.lostMeans, detail: null };
    case 'too-large':
      return { happened: viewTexts.add.tooLarge, means: viewTexts.add.tooLargeMeans, detail: null };
    case 'too-large-together': {
      const { tooLarge: happened, tooLargeMeans: means } = viewTexts.add.list;
      return { happened, means, detail: null };
    }
    case 'picture-without-folder':
      return {
        happened: viewTexts.add.pictureAlone,
        means: viewTexts.add.pictureAloneMeans,
        detail: null,
      };
    case 'unreadable':
      return {
        happened: viewTexts.add.unreadable,
        means: viewTexts.add.unreadableMeans,
        detail: null,
      };
  }
}

/** The same in one or two sentences, shown after the file's name. */
export function problemSentence(
  problem: AddProblem,
  l10n: Pick<Localization, 'texts' | 'viewTexts' | 'translate'>,
): string {
  if (problem.kind === 'failure') return l10n.translate(problem.failure);
  const { happened, means } = problemWords(problem, l10n);
  return `${happened}. ${means}`;
}
