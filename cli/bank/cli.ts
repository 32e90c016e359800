import { run } from "./run";

const { exitCode, output, errors } = await run(process.argv.slice(2));
if (output !== "") console.log(output);
if (errors !== "") console.error(errors);
process.exitCode = exitCode;
