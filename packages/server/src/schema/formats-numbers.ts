/** Numbers with a check digit. */

export function isIsbn10(text: string): boolean {
  const digits = withoutGaps(text);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => {
    return total + (index + 1) * (digit === 'X' ? 10 : Number(digit));
  }, 0);
  return sum % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const digits = withoutGaps(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => {
    return total + (index % 2 === 0 ? 1 : 3) * Number(digit);
  }, 0);
  return sum % 10 === 0;
}

function withoutGaps(text: string): string {
  return text.replace(/[ \t\n\f\r-]+/g, '');
}

const CARDS =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Everything but digits is ignored. */
export function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!CARDS.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
