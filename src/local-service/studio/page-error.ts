/** An error that is shown as a page instead of the requested page. */
export class PageError extends Error {
  readonly statusCode: number;
  readonly title: string;

  constructor(statusCode: number, title: string, message: string) {
    super(message);
    this.name = 'PageError';
    this.statusCode = statusCode;
    this.title = title;
  }

  static foreignForm(): PageError {
    return new PageError(
      403,
      'This form could not be accepted',
      'It was not made by this page, or you have signed in or out since. Go back, reload the page and send it again.',
    );
  }

  static unknownAction(): PageError {
    return new PageError(
      400,
      'This form could not be read',
      'It was sent without one of its buttons. Nothing was made or spent. Go back and press a button of the form.',
    );
  }

  static tooLarge(): PageError {
    return new PageError(
      413,
      'That is too much at once',
      'A picture may be at most 8 MB large, and all of a form 24 MB. Go back and choose smaller pictures.',
    );
  }

  static tooManyUploads(): PageError {
    return new PageError(
      429,
      'Too many uploads at once',
      'Other pictures of your account are still being uploaded. Wait until they are, and send this form again.',
    );
  }

  static busy(): PageError {
    return new PageError(
      503,
      'The service is busy',
      'It is receiving too many pictures at once. Nothing was lost; try again in a moment.',
    );
  }

  /** RFC 9110 §15.5.20. */
  static otherAddress(): PageError {
    return new PageError(
      421,
      'The studio has another address',
      'Open the address that the service printed as studioUrl when it started.',
    );
  }

  static notFound(): PageError {
    return new PageError(
      404,
      'There is nothing here',
      'The address is wrong, or what was here belongs to another account.',
    );
  }

  static deleted(): PageError {
    return new PageError(
      410,
      'This video was deleted',
      'Finished videos are kept for a limited time, and its time is over. Make it again to get it.',
    );
  }

  static databaseUnavailable(): PageError {
    return new PageError(
      503,
      'The service cannot be used for now',
      'Its database does not answer. Nothing was lost; try again in a moment.',
    );
  }

  static outcomeUnknown(): PageError {
    return new PageError(
      503,
      'It is not known whether that worked',
      'The database of the service was lost meanwhile. Look whether it was done before you try again.',
    );
  }

  static filesUnavailable(): PageError {
    return new PageError(
      503,
      'The files cannot be read for now',
      'The storage of the service does not answer. Nothing was lost; try again in a moment.',
    );
  }

  static fileDamaged(): PageError {
    return new PageError(
      500,
      'This file is damaged',
      'It is not as the service stored it. Another attempt does not help.',
    );
  }

  static broken(): PageError {
    return new PageError(
      500,
      'Something went wrong',
      'It was not your doing. Look whether it was done before you try again.',
    );
  }
}
