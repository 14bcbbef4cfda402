// Returns answers of the reference implementation, and compares the answers of this service with them.
import { execute, parse, validate } from 'graphql';

const failedFields = (errors) =>
    errors.filter(({ path }) => path !== undefined).map(({ path, locations }) => ({ path: path.join('.'), locations }));

// True if both errors are about the same field. A document may ask for one field at several places. `wanted`, an error of the
// reference implementation, names all these places. `found`, an error of the service, names one of them.
const isOf = (wanted, found) =>
    wanted.path === found.path &&
    found.locations.every(({ line, column }) => wanted.locations.some((one) => one.line === line && one.column === column));

// Reduces a part of an answer to the names of its members, in order, and the types of the members' values. The values themselves
// cannot be compared, because the service issues other access tokens than the reference implementation.
function formOf(value) {
    if (Array.isArray(value)) return value.map(formOf);
    if (value === null || typeof value !== 'object') return value === null ? null : typeof value;
    return Object.entries(value).map(([key, member]) => [key, formOf(member)]);
}

// Returns the GraphQL response of the reference implementation.
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

// Returns the differences as lines; none if the answers agree. The reason and the location of a refusal may differ, because the
// service names the first reason that it finds.
export function differences(expected, actual) {
    const faults = [];
    const [wanted, found] = [expected, actual].map(({ errors }) => errors ?? []);
    if ((wanted.length === 0) !== (found.length === 0)) faults.push('only one of the two has errors');
    const [wantedFields, foundFields] = [wanted, found].map(failedFields);
    if (wantedFields.length !== foundFields.length || !foundFields.every((field, index) => isOf(wantedFields[index], field)))
        faults.push(`failed fields are ${JSON.stringify(foundFields)}, the reference has ${JSON.stringify(wantedFields)}`);
    // The reference answers null data where this service refuses the request as a whole.
    const [wantedData, foundData] = [expected, actual].map((one) => JSON.stringify(formOf(one.data ?? null)));
    if (wantedData !== foundData) faults.push(`data of the form ${foundData}, the reference has ${wantedData}`);
    for (const { message } of faults.length > 0 ? wanted : []) faults.push(`the reference says: ${message}`);
    for (const { message } of faults.length > 0 ? found : []) faults.push(`the answer says: ${message}`);
    return faults;
}
