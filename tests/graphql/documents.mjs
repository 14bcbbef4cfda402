// Reads the test requests from sample-documents.txt and service-documents.txt.
import { readFileSync } from 'node:fs';

// Returns one request with its name, query, variables and operationName.
function requestOf(block) {
    const lines = block.split('\n');
    const request = { name: lines.shift().trim() };
    const text = [];
    for (const line of lines) {
        const option = /^-- (variables|operationName|json) (.*)$/.exec(line);
        if (option === null) text.push(line);
        else if (option[1] === 'json') request.query = JSON.parse(option[2]);
        else request[option[1]] = option[1] === 'variables' ? JSON.parse(option[2]) : option[2];
    }
    request.query ??= text.join('\n').replace(/\n$/, '');
    return request;
}

// Returns the requests of a file, with API_KEY in them replaced.
export function readDocuments(file, apiKey) {
    const text = readFileSync(file, 'utf8').replaceAll('API_KEY', apiKey);
    return text.split(/^== /m).slice(1).map(requestOf);
}
