/** Go's `strconv.FormatFloat(value, 'g', -1, 64)`: with an exponent below 1e-4 and from 1e6 on. */
export function formatGoFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return withGoExponent(value.toExponential());
}

/** The same with the fewest digits that identify a float32. */
export function formatGoFloat32(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single > 0 ? '+Inf' : '-Inf';
  for (let digits = 0; digits < 9; digits += 1) {
    const text = single.toExponential(digits);
    if (Math.fround(Number(text)) === single) return withGoExponent(text);
  }
  return withGoExponent(single.toExponential());
}

/** Converts `1.5e+0` to `1.5`, `1.5e+6` to `1.5e+06` and `1.5e-5` to `1.5e-05`. */
function withGoExponent(text: string): string {
  const [mantissa = '', exponentText = '0'] = text.split('e');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 6) {
    const sign = exponent < 0 ? '-' : '+';
    return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  return plainDigits(mantissa, exponent);
}

function plainDigits(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace('-', '').replace('.', '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const padded = digits.padEnd(exponent + 1, '0');
  const fraction = padded.slice(exponent + 1);
  return `${sign}${padded.slice(0, exponent + 1)}${fraction === '' ? '' : `.${fraction}`}`;
}
