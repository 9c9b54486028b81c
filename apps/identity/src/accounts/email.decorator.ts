import { isOneLine } from '@capability-router/service-kit';
import { isEmail, ValidateBy } from 'class-validator';
import { MAX_EMAIL_LENGTH } from '../email-addresses/email-address.js';

/** An e-mail address in a body. class-validator's own check throws at half of a surrogate pair. */
export const Email = (): PropertyDecorator =>
  ValidateBy({
    name: 'isEmail',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isOneLine(value, MAX_EMAIL_LENGTH) && isEmail(value),
      defaultMessage: () => '$property must be an email',
    },
  });
