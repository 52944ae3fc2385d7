/**
 * A quantile of values in ascending order, on the line between the two nearest (Hyndman and Fan's type 7, 1996, the default
 * of R and NumPy). NaN without a value.
 * @param share from 0, the lowest value, to 1, the highest
 */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  const at = share * (ascending.length - 1);
  const below = ascending[Math.floor(at)] ?? Number.NaN;
  const above = ascending[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}
