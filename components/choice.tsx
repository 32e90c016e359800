import type { ReactNode } from "react";
import { Detail } from "./detail";
import { Tag } from "./tag";

type Props = {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly checked: boolean;
  /** In the label: all that names the choice. */
  readonly children: ReactNode;
  /** What else is to be said of it. */
  readonly tag?: string | undefined;
};

const row =
  "relative grid grid-cols-[auto_1fr] items-center gap-x-3.5 rounded-box border-2 px-4 wide:grid-cols-[auto_1fr_auto]";
/** Ticked, or shared with all the others: then what the single boxes say no longer counts. */
const chosen =
  "border-line has-checked:border-brand has-checked:bg-tint group-has-[#all:checked]/choices:border-brand group-has-[#all:checked]/choices:bg-tint";
const box =
  "relative z-1 grid size-6 appearance-none place-content-center rounded-[0.3rem] border-2 border-edge bg-card before:size-3.5 before:bg-on-brand before:opacity-0 before:[clip-path:polygon(14%_44%,0_65%,45%_100%,100%_16%,80%_0%,40%_62%)] checked:border-brand checked:bg-brand checked:before:opacity-100 forced-colors:appearance-auto";
const boxOfMany =
  "group-has-[#all:checked]/choices:border-brand group-has-[#all:checked]/choices:bg-brand group-has-[#all:checked]/choices:opacity-60 group-has-[#all:checked]/choices:before:opacity-100";
/** The whole row is the target. */
const label = "wrap-anywhere after:absolute after:inset-0 after:cursor-pointer";

/** One of several to tick. */
export function Choice({ id, name, value, checked, children, tag }: Props) {
  const tagId = tag === undefined ? undefined : `${id}-hint`;
  return (
    <li className={`py-3 ${row} ${chosen}`}>
      <input
        type="checkbox"
        id={id}
        name={name}
        value={value}
        defaultChecked={checked}
        aria-describedby={tagId}
        className={`${box} ${boxOfMany}`}
      />
      <label htmlFor={id} className={label}>
        {children}
      </label>
      {tag !== undefined && (
        <span className="max-wide:col-start-2">
          <Tag id={tagId}>{tag}</Tag>
        </span>
      )}
    </li>
  );
}

type AllProps = { readonly label: string; readonly hint: string };

/** Stands for every one of them. */
export function ChooseAll({ label: text, hint }: AllProps) {
  return (
    <div className={`mb-2.5 border-transparent py-1.5 ${row}`}>
      <input
        type="checkbox"
        id="all"
        name="all"
        value="yes"
        aria-describedby="all-hint"
        className={box}
      />
      <label htmlFor="all" className={`font-strong ${label}`}>
        {text}
      </label>
      <span className="col-start-2">
        <Detail id="all-hint">{hint}</Detail>
      </span>
    </div>
  );
}
