/* SPDX-License-Identifier: Apache-2.0
 *
 * The structs of TCLIService that this suite knows, as one list: everything else about them is
 * made from it. Structs that the list lacks are unknown fields to their owners, and skipped.
 *
 * TCLI_X(F) calls F(struct, id, field, form, child, preset) for each field of struct X by ascending
 * id. child is the struct inside, or none; preset is NONE, or what a new struct holds.
 * TCLI_STRUCTS(S) calls S(struct) for each struct.
 */
#ifndef CASES_THRIFT_TCLI_FIELDS_H
#define CASES_THRIFT_TCLI_FIELDS_H

/* clang-format off */
#define TCLI_TTypeQualifierValue(F) \
    F(TTypeQualifierValue, 1, i32Value, I32, none, NONE) \
    F(TTypeQualifierValue, 2, stringValue, STRING, none, NONE)
#define TCLI_TTypeQualifiers(F) \
    F(TTypeQualifiers, 1, qualifiers, MAP_STRUCT, TTypeQualifierValue, NONE)
#define TCLI_TPrimitiveTypeEntry(F) \
    F(TPrimitiveTypeEntry, 1, type, I32, none, NONE) \
    F(TPrimitiveTypeEntry, 2, typeQualifiers, STRUCT, TTypeQualifiers, NONE)
#define TCLI_TArrayTypeEntry(F) \
    F(TArrayTypeEntry, 1, objectTypePtr, I32, none, NONE)
#define TCLI_TMapTypeEntry(F) \
    F(TMapTypeEntry, 1, keyTypePtr, I32, none, NONE) \
    F(TMapTypeEntry, 2, valueTypePtr, I32, none, NONE)
#define TCLI_TStructTypeEntry(F) \
    F(TStructTypeEntry, 1, nameToTypePtr, MAP_I32, none, NONE)
#define TCLI_TUnionTypeEntry(F) \
    F(TUnionTypeEntry, 1, nameToTypePtr, MAP_I32, none, NONE)
#define TCLI_TUserDefinedTypeEntry(F) \
    F(TUserDefinedTypeEntry, 1, typeClassName, STRING, none, NONE)
#define TCLI_TTypeEntry(F) \
    F(TTypeEntry, 1, primitiveEntry, STRUCT, TPrimitiveTypeEntry, NONE) \
    F(TTypeEntry, 2, arrayEntry, STRUCT, TArrayTypeEntry, NONE) \
    F(TTypeEntry, 3, mapEntry, STRUCT, TMapTypeEntry, NONE) \
    F(TTypeEntry, 4, structEntry, STRUCT, TStructTypeEntry, NONE) \
    F(TTypeEntry, 5, unionEntry, STRUCT, TUnionTypeEntry, NONE) \
    F(TTypeEntry, 6, userDefinedTypeEntry, STRUCT, TUserDefinedTypeEntry, NONE)
#define TCLI_TTypeDesc(F) \
    F(TTypeDesc, 1, types, LIST_STRUCT, TTypeEntry, NONE)
#define TCLI_TColumnDesc(F) \
    F(TColumnDesc, 1, columnName, STRING, none, NONE) \
    F(TColumnDesc, 2, typeDesc, STRUCT, TTypeDesc, NONE) \
    F(TColumnDesc, 3, position, I32, none, NONE) \
    F(TColumnDesc, 4, comment, STRING, none, NONE)
#define TCLI_TTableSchema(F) \
    F(TTableSchema, 1, columns, LIST_STRUCT, TColumnDesc, NONE)
#define TCLI_TBoolValue(F) \
    F(TBoolValue, 1, value, BOOL, none, NONE)
#define TCLI_TByteValue(F) \
    F(TByteValue, 1, value, BYTE, none, NONE)
#define TCLI_TI16Value(F) \
    F(TI16Value, 1, value, I16, none, NONE)
#define TCLI_TI32Value(F) \
    F(TI32Value, 1, value, I32, none, NONE)
#define TCLI_TI64Value(F) \
    F(TI64Value, 1, value, I64, none, NONE)
#define TCLI_TDoubleValue(F) \
    F(TDoubleValue, 1, value, DOUBLE, none, NONE)
#define TCLI_TStringValue(F) \
    F(TStringValue, 1, value, STRING, none, NONE)
#define TCLI_TColumnValue(F) \
    F(TColumnValue, 1, boolVal, STRUCT, TBoolValue, NONE) \
    F(TColumnValue, 2, byteVal, STRUCT, TByteValue, NONE) \
    F(TColumnValue, 3, i16Val, STRUCT, TI16Value, NONE) \
    F(TColumnValue, 4, i32Val, STRUCT, TI32Value, NONE) \
    F(TColumnValue, 5, i64Val, STRUCT, TI64Value, NONE) \
    F(TColumnValue, 6, doubleVal, STRUCT, TDoubleValue, NONE) \
    F(TColumnValue, 7, stringVal, STRUCT, TStringValue, NONE)
#define TCLI_TRow(F) \
    F(TRow, 1, colVals, LIST_STRUCT, TColumnValue, NONE)
#define TCLI_TBoolColumn(F) \
    F(TBoolColumn, 1, values, LIST_BOOL, none, NONE) \
    F(TBoolColumn, 2, nulls, BINARY, none, NONE)
#define TCLI_TByteColumn(F) \
    F(TByteColumn, 1, values, LIST_BYTE, none, NONE) \
    F(TByteColumn, 2, nulls, BINARY, none, NONE)
#define TCLI_TI16Column(F) \
    F(TI16Column, 1, values, LIST_I16, none, NONE) \
    F(TI16Column, 2, nulls, BINARY, none, NONE)
#define TCLI_TI32Column(F) \
    F(TI32Column, 1, values, LIST_I32, none, NONE) \
    F(TI32Column, 2, nulls, BINARY, none, NONE)
#define TCLI_TI64Column(F) \
    F(TI64Column, 1, values, LIST_I64, none, NONE) \
    F(TI64Column, 2, nulls, BINARY, none, NONE)
#define TCLI_TDoubleColumn(F) \
    F(TDoubleColumn, 1, values, LIST_DOUBLE, none, NONE) \
    F(TDoubleColumn, 2, nulls, BINARY, none, NONE)
#define TCLI_TStringColumn(F) \
    F(TStringColumn, 1, values, LIST_STRING, none, NONE) \
    F(TStringColumn, 2, nulls, BINARY, none, NONE)
#define TCLI_TBinaryColumn(F) \
    F(TBinaryColumn, 1, values, LIST_BINARY, none, NONE) \
    F(TBinaryColumn, 2, nulls, BINARY, none, NONE)
#define TCLI_TColumn(F) \
    F(TColumn, 1, boolVal, STRUCT, TBoolColumn, NONE) \
    F(TColumn, 2, byteVal, STRUCT, TByteColumn, NONE) \
    F(TColumn, 3, i16Val, STRUCT, TI16Column, NONE) \
    F(TColumn, 4, i32Val, STRUCT, TI32Column, NONE) \
    F(TColumn, 5, i64Val, STRUCT, TI64Column, NONE) \
    F(TColumn, 6, doubleVal, STRUCT, TDoubleColumn, NONE) \
    F(TColumn, 7, stringVal, STRUCT, TStringColumn, NONE) \
    F(TColumn, 8, binaryVal, STRUCT, TBinaryColumn, NONE)
#define TCLI_TSparkArrowBatch(F) \
    F(TSparkArrowBatch, 1, batch, BINARY, none, NONE) \
    F(TSparkArrowBatch, 2, rowCount, I64, none, NONE)
#define TCLI_TSparkArrowResultLink(F) \
    F(TSparkArrowResultLink, 1, fileLink, STRING, none, NONE) \
    F(TSparkArrowResultLink, 2, expiryTime, I64, none, NONE) \
    F(TSparkArrowResultLink, 3, startRowOffset, I64, none, NONE) \
    F(TSparkArrowResultLink, 4, rowCount, I64, none, NONE) \
    F(TSparkArrowResultLink, 5, bytesNum, I64, none, NONE) \
    F(TSparkArrowResultLink, 6, httpHeaders, MAP_STRING, none, NONE)
#define TCLI_TRowSet(F) \
    F(TRowSet, 1, startRowOffset, I64, none, NONE) \
    F(TRowSet, 2, rows, LIST_STRUCT, TRow, NONE) \
    F(TRowSet, 3, columns, LIST_STRUCT, TColumn, NONE) \
    F(TRowSet, 4, binaryColumns, BINARY, none, NONE) \
    F(TRowSet, 5, columnCount, I32, none, NONE) \
    F(TRowSet, 0x501, arrowBatches, LIST_STRUCT, TSparkArrowBatch, NONE) \
    F(TRowSet, 0x502, resultLinks, LIST_STRUCT, TSparkArrowResultLink, NONE)
#define TCLI_TStatus(F) \
    F(TStatus, 1, statusCode, I32, none, NONE) \
    F(TStatus, 2, infoMessages, LIST_STRING, none, NONE) \
    F(TStatus, 3, sqlState, STRING, none, NONE) \
    F(TStatus, 4, errorCode, I32, none, NONE) \
    F(TStatus, 5, errorMessage, STRING, none, NONE) \
    F(TStatus, 6, displayMessage, STRING, none, NONE) \
    F(TStatus, 0x501, errorDetailsJson, STRING, none, NONE)
#define TCLI_TNamespace(F) \
    F(TNamespace, 1, catalogName, STRING, none, NONE) \
    F(TNamespace, 2, schemaName, STRING, none, NONE)
#define TCLI_THandleIdentifier(F) \
    F(THandleIdentifier, 1, guid, BINARY, none, NONE) \
    F(THandleIdentifier, 2, secret, BINARY, none, NONE)
#define TCLI_TSessionHandle(F) \
    F(TSessionHandle, 1, sessionId, STRUCT, THandleIdentifier, NONE) \
    F(TSessionHandle, 0xd01, serverProtocolVersion, I32, none, NONE)
#define TCLI_TOperationHandle(F) \
    F(TOperationHandle, 1, operationId, STRUCT, THandleIdentifier, NONE) \
    F(TOperationHandle, 2, operationType, I32, none, NONE) \
    F(TOperationHandle, 3, hasResultSet, BOOL, none, NONE) \
    F(TOperationHandle, 4, modifiedRowCount, DOUBLE, none, NONE)
#define TCLI_TOpenSessionReq(F) \
    F(TOpenSessionReq, 1, client_protocol, I32, none, MINUS_SEVEN) \
    F(TOpenSessionReq, 2, username, STRING, none, NONE) \
    F(TOpenSessionReq, 3, password, STRING, none, NONE) \
    F(TOpenSessionReq, 4, configuration, MAP_STRING, none, NONE) \
    F(TOpenSessionReq, 0x501, getInfos, LIST_I32, none, NONE) \
    F(TOpenSessionReq, 0x502, client_protocol_i64, I64, none, NONE) \
    F(TOpenSessionReq, 0x503, connectionProperties, MAP_STRING, none, NONE) \
    F(TOpenSessionReq, 0x504, initialNamespace, STRUCT, TNamespace, NONE) \
    F(TOpenSessionReq, 0x505, canUseMultipleCatalogs, BOOL, none, NONE)
#define TCLI_TOpenSessionResp(F) \
    F(TOpenSessionResp, 1, status, STRUCT, TStatus, NONE) \
    F(TOpenSessionResp, 2, serverProtocolVersion, I32, none, NONE) \
    F(TOpenSessionResp, 3, sessionHandle, STRUCT, TSessionHandle, NONE) \
    F(TOpenSessionResp, 4, configuration, MAP_STRING, none, NONE) \
    F(TOpenSessionResp, 0x504, initialNamespace, STRUCT, TNamespace, NONE) \
    F(TOpenSessionResp, 0x505, canUseMultipleCatalogs, BOOL, none, NONE)
#define TCLI_TSparkGetDirectResults(F) \
    F(TSparkGetDirectResults, 1, maxRows, I64, none, NONE) \
    F(TSparkGetDirectResults, 2, maxBytes, I64, none, NONE)
#define TCLI_TSparkArrowTypes(F) \
    F(TSparkArrowTypes, 1, timestampAsArrow, BOOL, none, NONE) \
    F(TSparkArrowTypes, 2, decimalAsArrow, BOOL, none, NONE) \
    F(TSparkArrowTypes, 3, complexTypesAsArrow, BOOL, none, NONE) \
    F(TSparkArrowTypes, 4, intervalTypesAsArrow, BOOL, none, NONE) \
    F(TSparkArrowTypes, 5, nullTypeAsArrow, BOOL, none, NONE)
#define TCLI_TSparkParameterValue(F) \
    F(TSparkParameterValue, 1, stringValue, STRING, none, NONE) \
    F(TSparkParameterValue, 2, doubleValue, DOUBLE, none, NONE) \
    F(TSparkParameterValue, 3, booleanValue, BOOL, none, NONE)
#define TCLI_TSparkParameterValueArg(F) \
    F(TSparkParameterValueArg, 1, type, STRING, none, NONE) \
    F(TSparkParameterValueArg, 2, value, STRING, none, NONE) \
    F(TSparkParameterValueArg, 3, arguments, LIST_STRUCT, TSparkParameterValueArg, NONE)
#define TCLI_TSparkParameter(F) \
    F(TSparkParameter, 1, ordinal, I32, none, NONE) \
    F(TSparkParameter, 2, name, STRING, none, NONE) \
    F(TSparkParameter, 3, type, STRING, none, NONE) \
    F(TSparkParameter, 4, value, STRUCT, TSparkParameterValue, NONE) \
    F(TSparkParameter, 5, arguments, LIST_STRUCT, TSparkParameterValueArg, NONE)
#define TCLI_TExecuteStatementReq(F) \
    F(TExecuteStatementReq, 1, sessionHandle, STRUCT, TSessionHandle, NONE) \
    F(TExecuteStatementReq, 2, statement, STRING, none, NONE) \
    F(TExecuteStatementReq, 3, confOverlay, MAP_STRING, none, NONE) \
    F(TExecuteStatementReq, 4, runAsync, BOOL, none, ZERO) \
    F(TExecuteStatementReq, 5, queryTimeout, I64, none, ZERO) \
    F(TExecuteStatementReq, 0x501, getDirectResults, STRUCT, TSparkGetDirectResults, NONE) \
    F(TExecuteStatementReq, 0x502, canReadArrowResult, BOOL, none, NONE) \
    F(TExecuteStatementReq, 0x503, canDownloadResult, BOOL, none, NONE) \
    F(TExecuteStatementReq, 0x504, canDecompressLZ4Result, BOOL, none, NONE) \
    F(TExecuteStatementReq, 0x505, maxBytesPerFile, I64, none, NONE) \
    F(TExecuteStatementReq, 0x506, useArrowNativeTypes, STRUCT, TSparkArrowTypes, NONE) \
    F(TExecuteStatementReq, 0x507, resultRowLimit, I64, none, NONE) \
    F(TExecuteStatementReq, 0x508, parameters, LIST_STRUCT, TSparkParameter, NONE) \
    F(TExecuteStatementReq, 0x509, maxBytesPerBatch, I64, none, NONE) \
    F(TExecuteStatementReq, 0xd19, enforceEmbeddedSchemaCorrectness, BOOL, none, ZERO)
#define TCLI_TGetTablesReq(F) \
    F(TGetTablesReq, 1, sessionHandle, STRUCT, TSessionHandle, NONE) \
    F(TGetTablesReq, 2, catalogName, STRING, none, NONE) \
    F(TGetTablesReq, 3, schemaName, STRING, none, NONE) \
    F(TGetTablesReq, 4, tableName, STRING, none, NONE) \
    F(TGetTablesReq, 5, tableTypes, LIST_STRING, none, NONE) \
    F(TGetTablesReq, 0x501, getDirectResults, STRUCT, TSparkGetDirectResults, NONE) \
    F(TGetTablesReq, 0x502, runAsync, BOOL, none, ZERO)
#define TCLI_TGetColumnsReq(F) \
    F(TGetColumnsReq, 1, sessionHandle, STRUCT, TSessionHandle, NONE) \
    F(TGetColumnsReq, 2, catalogName, STRING, none, NONE) \
    F(TGetColumnsReq, 3, schemaName, STRING, none, NONE) \
    F(TGetColumnsReq, 4, tableName, STRING, none, NONE) \
    F(TGetColumnsReq, 5, columnName, STRING, none, NONE) \
    F(TGetColumnsReq, 0x501, getDirectResults, STRUCT, TSparkGetDirectResults, NONE) \
    F(TGetColumnsReq, 0x502, runAsync, BOOL, none, ZERO)
#define TCLI_TGetOperationStatusResp(F) \
    F(TGetOperationStatusResp, 1, status, STRUCT, TStatus, NONE) \
    F(TGetOperationStatusResp, 2, operationState, I32, none, NONE) \
    F(TGetOperationStatusResp, 3, sqlState, STRING, none, NONE) \
    F(TGetOperationStatusResp, 4, errorCode, I32, none, NONE) \
    F(TGetOperationStatusResp, 5, errorMessage, STRING, none, NONE) \
    F(TGetOperationStatusResp, 6, taskStatus, STRING, none, NONE) \
    F(TGetOperationStatusResp, 7, operationStarted, I64, none, NONE) \
    F(TGetOperationStatusResp, 8, operationCompleted, I64, none, NONE) \
    F(TGetOperationStatusResp, 9, hasResultSet, BOOL, none, NONE) \
    F(TGetOperationStatusResp, 11, numModifiedRows, I64, none, NONE) \
    F(TGetOperationStatusResp, 0x501, displayMessage, STRING, none, NONE) \
    F(TGetOperationStatusResp, 0x502, diagnosticInfo, STRING, none, NONE) \
    F(TGetOperationStatusResp, 0x503, errorDetailsJson, STRING, none, NONE)
#define TCLI_TGetResultSetMetadataResp(F) \
    F(TGetResultSetMetadataResp, 1, status, STRUCT, TStatus, NONE) \
    F(TGetResultSetMetadataResp, 2, schema, STRUCT, TTableSchema, NONE) \
    F(TGetResultSetMetadataResp, 0x501, resultFormat, I32, none, NONE) \
    F(TGetResultSetMetadataResp, 0x502, lz4Compressed, BOOL, none, NONE) \
    F(TGetResultSetMetadataResp, 0x503, arrowSchema, BINARY, none, NONE) \
    F(TGetResultSetMetadataResp, 0x504, cacheLookupResult, I32, none, NONE) \
    F(TGetResultSetMetadataResp, 0x505, uncompressedBytes, I64, none, NONE) \
    F(TGetResultSetMetadataResp, 0x506, compressedBytes, I64, none, NONE) \
    F(TGetResultSetMetadataResp, 0x507, isStagingOperation, BOOL, none, NONE)
#define TCLI_TFetchResultsReq(F) \
    F(TFetchResultsReq, 1, operationHandle, STRUCT, TOperationHandle, NONE) \
    F(TFetchResultsReq, 2, orientation, I32, none, ZERO) \
    F(TFetchResultsReq, 3, maxRows, I64, none, NONE) \
    F(TFetchResultsReq, 4, fetchType, I16, none, ZERO) \
    F(TFetchResultsReq, 0x501, maxBytes, I64, none, NONE) \
    F(TFetchResultsReq, 0x502, startRowOffset, I64, none, NONE) \
    F(TFetchResultsReq, 0x503, includeResultSetMetadata, BOOL, none, NONE)
#define TCLI_TFetchResultsResp(F) \
    F(TFetchResultsResp, 1, status, STRUCT, TStatus, NONE) \
    F(TFetchResultsResp, 2, hasMoreRows, BOOL, none, NONE) \
    F(TFetchResultsResp, 3, results, STRUCT, TRowSet, NONE) \
    F(TFetchResultsResp, 0x501, resultSetMetadata, STRUCT, TGetResultSetMetadataResp, NONE)
#define TCLI_TCloseOperationResp(F) \
    F(TCloseOperationResp, 1, status, STRUCT, TStatus, NONE)
#define TCLI_TSparkDirectResults(F) \
    F(TSparkDirectResults, 1, operationStatus, STRUCT, TGetOperationStatusResp, NONE) \
    F(TSparkDirectResults, 2, resultSetMetadata, STRUCT, TGetResultSetMetadataResp, NONE) \
    F(TSparkDirectResults, 3, resultSet, STRUCT, TFetchResultsResp, NONE) \
    F(TSparkDirectResults, 4, closeOperation, STRUCT, TCloseOperationResp, NONE)
#define TCLI_TExecuteStatementResp(F) \
    F(TExecuteStatementResp, 1, status, STRUCT, TStatus, NONE) \
    F(TExecuteStatementResp, 2, operationHandle, STRUCT, TOperationHandle, NONE) \
    F(TExecuteStatementResp, 0x501, directResults, STRUCT, TSparkDirectResults, NONE)
#define TCLI_TGetTablesResp(F) \
    F(TGetTablesResp, 1, status, STRUCT, TStatus, NONE) \
    F(TGetTablesResp, 2, operationHandle, STRUCT, TOperationHandle, NONE) \
    F(TGetTablesResp, 0x501, directResults, STRUCT, TSparkDirectResults, NONE)
#define TCLI_TGetColumnsResp(F) \
    F(TGetColumnsResp, 1, status, STRUCT, TStatus, NONE) \
    F(TGetColumnsResp, 2, operationHandle, STRUCT, TOperationHandle, NONE) \
    F(TGetColumnsResp, 0x501, directResults, STRUCT, TSparkDirectResults, NONE)
#define TCLI_OpenSession_args(F) \
    F(OpenSession_args, 1, req, STRUCT, TOpenSessionReq, NONE)
#define TCLI_OpenSession_result(F) \
    F(OpenSession_result, 0, success, STRUCT, TOpenSessionResp, NONE)
#define TCLI_ExecuteStatement_args(F) \
    F(ExecuteStatement_args, 1, req, STRUCT, TExecuteStatementReq, NONE)
#define TCLI_ExecuteStatement_result(F) \
    F(ExecuteStatement_result, 0, success, STRUCT, TExecuteStatementResp, NONE)
#define TCLI_GetTables_args(F) \
    F(GetTables_args, 1, req, STRUCT, TGetTablesReq, NONE)
#define TCLI_GetTables_result(F) \
    F(GetTables_result, 0, success, STRUCT, TGetTablesResp, NONE)
#define TCLI_GetColumns_args(F) \
    F(GetColumns_args, 1, req, STRUCT, TGetColumnsReq, NONE)
#define TCLI_GetColumns_result(F) \
    F(GetColumns_result, 0, success, STRUCT, TGetColumnsResp, NONE)
#define TCLI_FetchResults_args(F) \
    F(FetchResults_args, 1, req, STRUCT, TFetchResultsReq, NONE)
#define TCLI_FetchResults_result(F) \
    F(FetchResults_result, 0, success, STRUCT, TFetchResultsResp, NONE)
#define TCLI_TApplicationException(F) \
    F(TApplicationException, 1, message, STRING, none, NONE) \
    F(TApplicationException, 2, type, I32, none, NONE)

#define TCLI_STRUCTS(S) \
    S(TTypeQualifierValue) \
    S(TTypeQualifiers) \
    S(TPrimitiveTypeEntry) \
    S(TArrayTypeEntry) \
    S(TMapTypeEntry) \
    S(TStructTypeEntry) \
    S(TUnionTypeEntry) \
    S(TUserDefinedTypeEntry) \
    S(TTypeEntry) \
    S(TTypeDesc) \
    S(TColumnDesc) \
    S(TTableSchema) \
    S(TBoolValue) \
    S(TByteValue) \
    S(TI16Value) \
    S(TI32Value) \
    S(TI64Value) \
    S(TDoubleValue) \
    S(TStringValue) \
    S(TColumnValue) \
    S(TRow) \
    S(TBoolColumn) \
    S(TByteColumn) \
    S(TI16Column) \
    S(TI32Column) \
    S(TI64Column) \
    S(TDoubleColumn) \
    S(TStringColumn) \
    S(TBinaryColumn) \
    S(TColumn) \
    S(TSparkArrowBatch) \
    S(TSparkArrowResultLink) \
    S(TRowSet) \
    S(TStatus) \
    S(TNamespace) \
    S(THandleIdentifier) \
    S(TSessionHandle) \
    S(TOperationHandle) \
    S(TOpenSessionReq) \
    S(TOpenSessionResp) \
    S(TSparkGetDirectResults) \
    S(TSparkArrowTypes) \
    S(TSparkParameterValue) \
    S(TSparkParameterValueArg) \
    S(TSparkParameter) \
    S(TExecuteStatementReq) \
    S(TGetTablesReq) \
    S(TGetColumnsReq) \
    S(TGetOperationStatusResp) \
    S(TGetResultSetMetadataResp) \
    S(TFetchResultsReq) \
    S(TFetchResultsResp) \
    S(TCloseOperationResp) \
    S(TSparkDirectResults) \
    S(TExecuteStatementResp) \
    S(TGetTablesResp) \
    S(TGetColumnsResp) \
    S(OpenSession_args) \
    S(OpenSession_result) \
    S(ExecuteStatement_args) \
    S(ExecuteStatement_result) \
    S(GetTables_args) \
    S(GetTables_result) \
    S(GetColumns_args) \
    S(GetColumns_result) \
    S(FetchResults_args) \
    S(FetchResults_result) \
    S(TApplicationException)
/* clang-format on */

#endif
