// Prints for each case (secret, headers, body, now) whether the verifier of the client kit accepts it.
import { isGenuine } from "./webhooks.js";

const cases = JSON.parse(process.env.CASES);
console.log(JSON.stringify(await Promise.all(cases.map((one) => isGenuine(...one)))));
