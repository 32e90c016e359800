import { useId } from "react";

type Props = {
  readonly label: string;
  readonly unit: string;
  /** After the decimal point. */
  readonly digits?: number;
  /** In their order. One that is missing is a gap, and one of zero a line. */
  readonly days: readonly { readonly day: string; readonly value: number }[];
  /** From the first day shown to the last one, where these are others than those of `days`. */
  readonly span?: { readonly from: string; readonly to: string };
};

const [WIDTH, HEIGHT, GAP, LINE] = [920, 120, 2, 2];
const DAY_MS = 86_400_000;

/** A bar for each day, without a script; the table below it says the same in figures. */
export function DayChart({ label, unit, digits = 3, days, span }: Props) {
  const id = useId();
  const { from, to } = span ?? { from: days[0]?.day, to: days.at(-1)?.day };
  if (from === undefined || to === undefined) return null;
  const most = Math.max(...days.map(({ value }) => value), 0);
  const step = WIDTH / (daysFrom(from, to) + 1);
  return (
    <figure className="mt-4">
      <figcaption className="text-small">
        {label}
        <span id={id} className="block text-muted">
          {`${from} – ${to}, 0 – ${most.toFixed(digits)} ${unit}`}
        </span>
      </figcaption>
      <svg
        className="mt-1 h-24 w-full border-b border-line fill-brand"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={label}
        aria-describedby={id}
        preserveAspectRatio="none"
      >
        {days.map(({ day, value }) => {
          const height = Math.max(most === 0 ? 0 : rounded((value / most) * HEIGHT), LINE);
          return (
            <rect
              key={day}
              x={rounded(daysFrom(from, day) * step)}
              y={rounded(HEIGHT - height)}
              width={rounded(Math.max(step - GAP, 1))}
              height={height}
            >
              <title>{`${day}: ${value.toFixed(digits)} ${unit}`}</title>
            </rect>
          );
        })}
      </svg>
    </figure>
  );
}

function daysFrom(first: string, day: string): number {
  return (Date.parse(day) - Date.parse(first)) / DAY_MS;
}

/** A page has some hundreds of bars. */
const rounded = (length: number) => Math.round(length * 10) / 10;
