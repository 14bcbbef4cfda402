// The answers of the reference implementation, and whether another answer agrees with them.
import { execute, parse, validate } from 'graphql';

const failedFields = (errors) =>
    errors.filter(({ path }) => path !== undefined).map(({ path, locations }) => ({ path: path.join('.'), locations }));

// An error of the service has one place, that of the reference has all of the field's.
const isOf = (wanted, found) =>
    wanted.path === found.path &&
    found.locations.every(({ line, column }) => wanted.locations.some((one) => one.line === line && one.column === column));

// Names and order of members, and types of values: tokens differ each time.
function formOf(value) {
    if (Array.isArray(value)) return value.map(formOf);
    if (value === null || typeof value !== 'object') return value === null ? null : typeof value;
    return Object.entries(value).map(([key, member]) => [key, formOf(member)]);
}

// The GraphQL response as the reference gives it.
export async function referenceAnswer(schema, rootValue, request) {
    let document;
    try {
        document = parse(request.query);
    } catch (error) {
        return { errors: [error] };
    }
    const errors = validate(schema, document);
    if (errors.length > 0) return { errors };
    const { variables: variableValues, operationName } = request;
    const result = await execute({ schema, document, rootValue, variableValues, operationName });
    return JSON.parse(JSON.stringify(result));
}

// The differences, as lines; none if the answers agree. The reason and the place of a refusal may differ: the
// service names the first reason that it finds.
export function differences(expected, actual) {
    const faults = [];
    const [wanted, found] = [expected, actual].map(({ errors }) => errors ?? []);
    if ((wanted.length === 0) !== (found.length === 0)) faults.push('only one of the two has errors');
    const [wantedFields, foundFields] = [wanted, found].map(failedFields);
    if (wantedFields.length !== foundFields.length || !foundFields.every((field, index) => isOf(wantedFields[index], field)))
        faults.push(`failed fields are ${JSON.stringify(foundFields)}, the reference has ${JSON.stringify(wantedFields)}`);
    // The reference executes to null if this service refuses the request as a whole.
    const [wantedData, foundData] = [expected, actual].map((one) => JSON.stringify(formOf(one.data ?? null)));
    if (wantedData !== foundData) faults.push(`data of the form ${foundData}, the reference has ${wantedData}`);
    for (const { message } of faults.length > 0 ? wanted : []) faults.push(`the reference says: ${message}`);
    for (const { message } of faults.length > 0 ? found : []) faults.push(`the answer says: ${message}`);
    return faults;
}
