/** A text, a number or a flag as Go prints it. */
export function goText(value: unknown): string {
  return typeof value === 'number' && !Number.isInteger(value) ? goFloat(value) : wholeText(value);
}

function wholeText(value: unknown): string {
  if (typeof value !== 'number') return String(value);
  return Number.isSafeInteger(value) ? String(value) : goFloat(value);
}

/** The shortest digits that say the number, with an exponent below -4 and from 21 on. */
function goFloat(value: number): string {
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 21) {
    const sign = exponent < 0 ? '-' : '+';
    return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  if (exponent >= 0) return String(value);
  const negative = digits.startsWith('-') ? '-' : '';
  const plain = digits.replace('-', '').replace('.', '');
  return `${negative}0.${'0'.repeat(-exponent - 1)}${plain}`;
}
