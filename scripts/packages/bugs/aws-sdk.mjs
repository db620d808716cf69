// Three requests at once, with credentials that have to be loaded. Callbacks alone.
import { promisify } from 'node:util';

process.env.AWS_SDK_JS_SUPPRESS_MAINTENANCE_MODE_MESSAGE = '1';
const AWS = (await import(`aws-sdk-${process.argv[2]}`)).default;
let loaded = 0;
const credentials = new AWS.EC2MetadataCredentials();
credentials.metadataService.loadCredentials = (done) => {
  loaded++;
  const Expiration = new Date(Date.now() + 3_600_000).toISOString();
  const found = {
    Code: 'Success',
    AccessKeyId: 'key',
    SecretAccessKey: 'secret',
    Token: 'token',
    Expiration,
  };
  setTimeout(() => done(null, found), 5);
};
const get = promisify(credentials.get.bind(credentials));
await Promise.all([get(), get(), get()]);
console.log(`loaded ${loaded} times`);
