type Props = {
  readonly label: string;
  readonly unit: string;
  /** After the decimal point. */
  readonly digits?: number;
  readonly days: readonly { readonly day: string; readonly value: number }[];
};

const [WIDTH, HEIGHT, GAP] = [920, 120, 2];

/** A bar for each day, without a script; the table below it says the same in figures. */
export function DayChart({ label, unit, digits = 3, days }: Props) {
  const most = Math.max(...days.map(({ value }) => value), 1);
  const step = WIDTH / Math.max(days.length, 1);
  return (
    <svg
      className="mt-3 w-full fill-brand"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      {days.map(({ day, value }, nth) => {
        const height = Math.max((value / most) * HEIGHT, 1);
        return (
          <rect
            key={day}
            x={nth * step}
            y={HEIGHT - height}
            width={Math.max(step - GAP, 1)}
            height={height}
          >
            <title>{`${day}: ${value.toFixed(digits)} ${unit}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
