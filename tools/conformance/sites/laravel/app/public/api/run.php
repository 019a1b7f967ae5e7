<?php
header("Content-Type: text/plain; charset=UTF-8");
header("X-Powered-By: PHP/8");
if (isset($_GET["status"])) http_response_code((int) $_GET["status"]);
if (isset($_GET["to"])) header("Location: " . $_GET["to"]);
foreach (["REQUEST_METHOD", "REQUEST_URI", "QUERY_STRING", "SCRIPT_NAME", "SCRIPT_FILENAME", "PATH_INFO", "DOCUMENT_ROOT", "DOCUMENT_URI",
  "SERVER_NAME", "SERVER_PORT", "HTTPS", "HTTP_HOST", "HTTP_X_FORWARDED_FOR", "CONTENT_TYPE", "CONTENT_LENGTH", "REMOTE_USER", "APP_ENV"] as $name)
  echo $name, "=", $_SERVER[$name] ?? "", "\n";
echo file_get_contents("php://input");
